// SPDX-License-Identifier: MIT
//
// Reads and writes PNG pictures with zlib alone: 8 bits a channel, not interlaced. readPng gives
// {width, height, pixels}, pixels being RGBA bytes; writePng takes the same.

'use strict';

const zlib = require('node:zlib');

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const channelsOf = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

function paeth(left, up, corner) {
    const estimate = left + up - corner;
    const [a, b, c] = [left, up, corner].map(value => Math.abs(estimate - value));
    if (a <= b && a <= c) {
        return left;
    }
    return b <= c ? up : corner;
}

// PNG §"Filtering": each row says how its bytes were predicted.
function unfilter(data, rowBytes, height, channels) {
    const rows = new Uint8Array(rowBytes * height);
    if (data.length < (rowBytes + 1) * height) {
        throw new Error('the picture is cut short');
    }
    for (let y = 0; y < height; y++) {
        const filter = data[y * (rowBytes + 1)];
        const from = y * (rowBytes + 1) + 1;
        const to = y * rowBytes;
        for (let x = 0; x < rowBytes; x++) {
            const left = x >= channels ? rows[to + x - channels] : 0;
            const up = y > 0 ? rows[to + x - rowBytes] : 0;
            const corner = x >= channels && y > 0 ? rows[to + x - rowBytes - channels] : 0;
            const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
            if (guess === undefined) {
                throw new Error(`filter ${filter} does not exist`);
            }
            rows[to + x] = data[from + x] + guess;
        }
    }
    return rows;
}

function readChunks(file) {
    const chunks = { data: [] };
    for (let at = signature.length; at + 12 <= file.length;) {
        const length = file.readUInt32BE(at);
        const body = file.subarray(at + 8, at + 8 + length);
        const type = file.toString('latin1', at + 4, at + 8);
        if (type === 'IDAT') {
            chunks.data.push(body);
        } else {
            chunks[type] = body;
        }
        at += 12 + length;
    }
    return chunks;
}

function readPng(file) {
    if (!file.subarray(0, signature.length).equals(signature)) {
        throw new Error('not a PNG');
    }
    const chunks = readChunks(file);
    const header = chunks.IHDR;
    const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
    const [depth, color, , , interlaced] = header.subarray(8);
    const channels = channelsOf[color];
    if (depth !== 8 || interlaced !== 0 || channels === undefined) {
        throw new Error('only pictures of 8 bits a channel, not interlaced');
    }
    const rows = unfilter(zlib.inflateSync(Buffer.concat(chunks.data)), width * channels, height, channels);
    const pixels = new Uint8Array(width * height * 4);
    for (let i = 0; i < width * height; i++) {
        const at = rows.subarray(i * channels, (i + 1) * channels);
        const gray = color === 0 || color === 4;
        const rgb = color === 3 ? chunks.PLTE.subarray(3 * at[0], 3 * at[0] + 3) : gray ? [at[0], at[0], at[0]] : at;
        const alpha = color === 3 ? chunks.tRNS?.[at[0]] ?? 255 : color === 4 ? at[1] : color === 6 ? at[3] : 255;
        pixels.set([rgb[0], rgb[1], rgb[2], alpha], 4 * i);
    }
    return { width, height, pixels };
}

const crcTable = Uint32Array.from({ length: 256 }, (_, n) => {
    for (let k = 0; k < 8; k++) {
        n = n & 1 ? (n >>> 1) ^ 0xedb88320 : n >>> 1;
    }
    return n >>> 0;
});

function chunk(type, body) {
    const whole = Buffer.alloc(12 + body.length);
    whole.writeUInt32BE(body.length, 0);
    whole.write(type, 4, 'latin1');
    whole.set(body, 8);
    let crc = 0xffffffff;
    for (const byte of whole.subarray(4, 8 + body.length)) {
        crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 0xff];
    }
    whole.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 8 + body.length);
    return whole;
}

function writePng({ width, height, pixels }) {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(width, 0);
    header.writeUInt32BE(height, 4);
    header.set([8, 6, 0, 0, 0], 8);
    const rows = Buffer.alloc((4 * width + 1) * height);
    for (let y = 0; y < height; y++) {
        rows.set(pixels.subarray(4 * width * y, 4 * width * (y + 1)), (4 * width + 1) * y + 1);
    }
    return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', zlib.deflateSync(rows)),
        chunk('IEND', Buffer.alloc(0))]);
}

module.exports = { readPng, writePng };

// SPDX-License-Identifier: MIT
//
// Types of alba-webgpu; WebGPU's own come from @webgpu/types.

/// <reference types="@webgpu/types" />

/** A GPU object as `navigator.gpu` is. Flags: "backend=cpu|null|vulkan", "threads=N",
 * "watchdog=MILLISECONDS" (0: never), "guard-pages=none|after|before", "ledger=ENTRIES",
 * "mapping=external|own", "warnings=off|list|log". */
export function create(flags?: readonly string[]): GPU;

/** The interface objects and constants that a browser has on `globalThis`. */
export const globals: Record<string, unknown>;

/** A GPU object with the default flags, made when it is first read. */
export const gpu: GPU;

/** libalba's live memory by use, in the whole process. */
export function memory(): Record<string, { bytes: number; blocks: number }>;

/** Something that is valid and may be better; `count`: how often it came. */
export interface Warning {
    id: 'layout-visibility' | 'storage-for-uniform';
    call: string;
    label: string;
    numbers: Record<string, number>;
    text: string;
    count: number;
}

/** The warnings of a device of a GPU object with the flag "warnings=list" or "warnings=log". */
export function warnings(device: GPUDevice): Warning[];

// SPDX-License-Identifier: MIT
//
// The classes of WebGPU's interfaces. Those that stand for an object of libalba get their methods
// and getters from the addon; those that only hold values (errors, events, features, limits,
// messages) are whole here, their state in private fields, so that a getter on a foreign object
// throws and nothing shows as an own property. Runs once in each environment.

'use strict';

// What a constructor must be given: only this module has it.
const token = Symbol('alba');

function illegal() {
    return new TypeError('Illegal constructor');
}

function define(object, name, descriptor) {
    Object.defineProperty(object, name, { configurable: true, ...descriptor });
}

// Web IDL: attributes and methods are enumerable, toStringTag is not. Done when a class is first needed, since
// a program uses few of them.
const unfinished = new Map();
function finish(constructor) {
    const prepare = unfinished.get(constructor);
    if (prepare === undefined) {
        return constructor;
    }
    unfinished.delete(constructor);
    prepare(constructor);
    const { prototype } = constructor;
    for (const name of Object.getOwnPropertyNames(prototype)) {
        if (name !== 'constructor') {
            define(prototype, name, { enumerable: true });
        }
    }
    define(prototype, Symbol.toStringTag, { value: constructor.name });
    return constructor;
}

//
// Interfaces of the addon
//

function nativeClass(row, Parent) {
    const Class = Parent
        ? { [row.name]: class extends Parent { constructor() { throw illegal(); } } }[row.name]
        : { [row.name]: class { constructor() { throw illegal(); } } }[row.name];
    for (const method of row.methods) {
        define(method.function, 'length', { value: method.length });
        define(Class.prototype, method.name, { value: method.function, writable: true, enumerable: true });
    }
    for (const attribute of row.attributes) {
        define(attribute.get, 'name', { value: `get ${attribute.name}` });
        define(attribute.get, 'length', { value: 0 });
        if (attribute.set) {
            define(attribute.set, 'name', { value: `set ${attribute.name}` });
            define(attribute.set, 'length', { value: 1 });
        }
        define(Class.prototype, attribute.name, { get: attribute.get, set: attribute.set, enumerable: true });
    }
    define(Class.prototype, Symbol.toStringTag, { value: row.name });
    return Class;
}

//
// Errors and events
//

class GPUError {
    #message;
    constructor(...given) {
        if (new.target === GPUError) {
            throw illegal();
        }
        if (given.length === 0) {
            throw new TypeError(`${new.target.name}: 1 argument required, but only 0 present`);
        }
        this.#message = toText(given[0]);
    }
    get message() {
        return this.#message;
    }
}
define(GPUError, 'length', { value: 0 });

class GPUValidationError extends GPUError {
    constructor(message) {
        super(...arguments);
    }
}
class GPUOutOfMemoryError extends GPUError {
    constructor(message) {
        super(...arguments);
    }
}
class GPUInternalError extends GPUError {
    constructor(message) {
        super(...arguments);
    }
}

function toText(value) {
    if (typeof value === 'symbol') {
        throw new TypeError('a symbol is no text');
    }
    return String(value);
}

class GPUPipelineError extends DOMException {
    #reason;
    constructor(message = '', options = undefined) {
        if (arguments.length < 2 || options === null || (typeof options !== 'object' && typeof options !== 'function')) {
            throw new TypeError('GPUPipelineError: options with a reason are required');
        }
        const reason = toText(options.reason);
        if (reason !== 'validation' && reason !== 'internal') {
            throw new TypeError(`GPUPipelineError: '${reason}' is no GPUPipelineErrorReason`);
        }
        super(toText(message), 'GPUPipelineError');
        this.#reason = reason;
    }
    get reason() {
        return this.#reason;
    }
}
define(GPUPipelineError, 'length', { value: 1 });

class GPUUncapturedErrorEvent extends Event {
    #error;
    constructor(type, gpuUncapturedErrorEventInitDict) {
        const init = gpuUncapturedErrorEventInitDict;
        if (arguments.length < 2 || !(init?.error instanceof GPUError)) {
            throw new TypeError('GPUUncapturedErrorEvent: an init dictionary with a GPUError is required');
        }
        super(type, init);
        this.#error = init.error;
    }
    get error() {
        return this.#error;
    }
}

//
// Values
//

class GPUSupportedFeatures {
    #set;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        this.#set = new Set(arguments[1]);
    }
    get size() {
        return this.#set.size;
    }
    has(value) {
        return this.#set.has(toText(value));
    }
    entries() {
        return this.#set.entries();
    }
    values() {
        return this.#set.values();
    }
    forEach(callback, thisArg = undefined) {
        if (typeof callback !== 'function') {
            throw new TypeError('forEach: the callback is not a function');
        }
        for (const value of this.#set) {
            callback.call(thisArg, value, value, this);
        }
    }
}

class WGSLLanguageFeatures {
    #set;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        this.#set = new Set(arguments[1]);
    }
    get size() {
        return this.#set.size;
    }
    has(value) {
        return this.#set.has(toText(value));
    }
    entries() {
        return this.#set.entries();
    }
    values() {
        return this.#set.values();
    }
    forEach(callback, thisArg = undefined) {
        if (typeof callback !== 'function') {
            throw new TypeError('forEach: the callback is not a function');
        }
        for (const value of this.#set) {
            callback.call(thisArg, value, value, this);
        }
    }
}

// Web IDL's setlike: keys is values, and so is the iterator.
function addIterators({ prototype }) {
    define(prototype, 'keys', { value: prototype.values, writable: true });
    define(prototype, Symbol.iterator, { value: prototype.values, writable: true });
}

class GPUAdapterInfo {
    #values;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        this.#values = arguments[1];
    }
    get vendor() {
        return this.#values[0];
    }
    get architecture() {
        return this.#values[1];
    }
    get device() {
        return this.#values[2];
    }
    get description() {
        return this.#values[3];
    }
    get subgroupMinSize() {
        return this.#values[4];
    }
    get subgroupMaxSize() {
        return this.#values[5];
    }
    get isFallbackAdapter() {
        return this.#values[6];
    }
}

class GPUSupportedLimits {
    #values;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        this.#values = arguments[1];
    }
    // Taken off the class below.
    static get(limits, index) {
        return limits.#values[index];
    }
}
const getLimit = GPUSupportedLimits.get;
delete GPUSupportedLimits.get;

function addLimits(names) {
    names.forEach((name, index) => {
        const getter = { get [name]() { return getLimit(this, index); } };
        define(GPUSupportedLimits.prototype, name, Object.getOwnPropertyDescriptor(getter, name));
    });
}

class GPUCompilationMessage {
    #values;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        this.#values = arguments[1];
    }
    get message() {
        return this.#values[0];
    }
    get type() {
        return this.#values[1];
    }
    get lineNum() {
        return this.#values[2];
    }
    get linePos() {
        return this.#values[3];
    }
    get offset() {
        return this.#values[4];
    }
    get length() {
        return this.#values[5];
    }
}

class GPUCompilationInfo {
    #messages;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        this.#messages = arguments[1];
    }
    get messages() {
        return this.#messages;
    }
}

class GPUDeviceLostInfo {
    #reason;
    #message;
    constructor() {
        if (arguments[0] !== token) {
            throw illegal();
        }
        [, this.#reason, this.#message] = arguments;
    }
    get reason() {
        return this.#reason;
    }
    get message() {
        return this.#message;
    }
}

// Without a canvas there is never one; the name is there for `instanceof`.
class GPUCanvasContext {
    constructor() {
        throw illegal();
    }
    get canvas() {
        throw new TypeError('Illegal invocation');
    }
    configure(configuration) {
        throw new TypeError('Illegal invocation');
    }
    unconfigure() {
        throw new TypeError('Illegal invocation');
    }
    getConfiguration() {
        throw new TypeError('Illegal invocation');
    }
    getCurrentTexture() {
        throw new TypeError('Illegal invocation');
    }
}

const valueClasses = [
    GPUError, GPUValidationError, GPUOutOfMemoryError, GPUInternalError, GPUPipelineError,
    GPUUncapturedErrorEvent, GPUSupportedFeatures, WGSLLanguageFeatures, GPUAdapterInfo, GPUSupportedLimits,
    GPUCompilationMessage, GPUCompilationInfo, GPUDeviceLostInfo, GPUCanvasContext,
];

//
// Namespaces of constants
//

function namespace(name, constants) {
    const object = {};
    for (const [key, value] of Object.entries(constants)) {
        Object.defineProperty(object, key, { value, enumerable: true });
    }
    define(object, Symbol.toStringTag, { value: name });
    return object;
}

const namespaces = {
    GPUBufferUsage: namespace('GPUBufferUsage', {
        MAP_READ: 0x0001,
        MAP_WRITE: 0x0002,
        COPY_SRC: 0x0004,
        COPY_DST: 0x0008,
        INDEX: 0x0010,
        VERTEX: 0x0020,
        UNIFORM: 0x0040,
        STORAGE: 0x0080,
        INDIRECT: 0x0100,
        QUERY_RESOLVE: 0x0200,
    }),
    GPUMapMode: namespace('GPUMapMode', { READ: 0x0001, WRITE: 0x0002 }),
    GPUTextureUsage: namespace('GPUTextureUsage', {
        COPY_SRC: 0x01,
        COPY_DST: 0x02,
        TEXTURE_BINDING: 0x04,
        STORAGE_BINDING: 0x08,
        RENDER_ATTACHMENT: 0x10,
        TRANSIENT_ATTACHMENT: 0x20,
    }),
    GPUShaderStage: namespace('GPUShaderStage', { VERTEX: 0x1, FRAGMENT: 0x2, COMPUTE: 0x4 }),
    GPUColorWrite: namespace('GPUColorWrite', { RED: 0x1, GREEN: 0x2, BLUE: 0x4, ALPHA: 0x8, ALL: 0xF }),
};

//
// GPUDevice.onuncapturederror (HTML §"Event handlers")
//

// By device: {value, listener}; the listener is there while the value is not null, and stays at its
// place among the others while one value replaces another.
const eventHandlers = new WeakMap();

function handlerOf(device) {
    const handler = eventHandlers.get(device);
    if (handler === undefined) {
        throw new TypeError('Illegal invocation: this is not a GPUDevice');
    }
    return handler;
}

const { addEventListener, removeEventListener, dispatchEvent } = EventTarget.prototype;
const { transfer } = ArrayBuffer.prototype; // from Node 22 on

const onuncapturederror = {
    get onuncapturederror() {
        return handlerOf(this).value;
    },
    set onuncapturederror(value) {
        const handler = handlerOf(this);
        const isObject = typeof value === 'function' || (typeof value === 'object' && value !== null);
        if (!isObject) {
            if (handler.value !== null) {
                removeEventListener.call(this, 'uncapturederror', handler.listener);
            }
            handler.value = null;
            return;
        }
        if (handler.value === null) {
            handler.listener = function (event) {
                if (typeof handler.value === 'function' && handler.value.call(this, event) === false) {
                    event.preventDefault();
                }
            };
            addEventListener.call(this, 'uncapturederror', handler.listener);
        }
        handler.value = value;
    },
};

//
// What the addon calls
//

function createHooks() {
    const errors = { GPUValidationError, GPUOutOfMemoryError, GPUInternalError };
    const construct = (Class, ...values) => new (finish(Class))(token, ...values);
    return {
        // For getMappedRange where the runtime has no external ArrayBuffers.
        createArrayBuffer: size => new ArrayBuffer(size),
        createAdapterInfo: (...values) => construct(GPUAdapterInfo, values),
        createCompilationInfo: rows => construct(GPUCompilationInfo,
            Object.freeze(rows.map(row => construct(GPUCompilationMessage, row)))),
        createDOMException: (message, name) => new DOMException(message, name),
        createError: (name, message) => new (finish(errors[name]))(message),
        createFeatures: words => construct(GPUSupportedFeatures, words),
        createLanguageFeatures: words => construct(WGSLLanguageFeatures, words),
        createLimits: values => construct(GPUSupportedLimits, values),
        createLost() {
            let resolve;
            const promise = new Promise(settle => { resolve = settle; });
            return { promise, resolve };
        },
        createLostInfo: (reason, message) => construct(GPUDeviceLostInfo, reason, message),
        createPipelineError: (message, reason) => new (finish(GPUPipelineError))(message, { reason }),
        // False where the addon has to do it. Node-API's own function ends the process when an ArrayBuffer has a
        // detach key, which markAsUntransferable gives it from Node 24 on; such a one stays attached to its memory,
        // which is nobody else's.
        detach(buffer) {
            if (transfer === undefined) {
                return false;
            }
            try {
                Reflect.apply(transfer, buffer, [0]);
            } catch {
                // It has a key, or is detached already.
            }
            return true;
        },
        dispatchUncapturedError(device, error) {
            const event = new (finish(GPUUncapturedErrorEvent))('uncapturederror', { error, cancelable: true });
            if (dispatchEvent.call(device, event)) {
                console.warn(`WebGPU: uncaptured ${error.constructor.name}: ${error.message}`);
            }
        },
        toArray: value => [...value],
        // Web IDL: an object is a sequence if it has an iterator method.
        toArrayOrNull(value) {
            const method = value[Symbol.iterator];
            if (method === undefined || method === null) {
                return null;
            }
            if (typeof method !== 'function') {
                throw new TypeError('the iterator method is not a function');
            }
            return Array.from({ [Symbol.iterator]: () => method.call(value) });
        },
        // Views that this version of Node-API does not know are taken as bytes.
        toBytes(value) {
            if (ArrayBuffer.isView(value)) {
                return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
            }
            return typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer
                ? new Uint8Array(value)
                : null;
        },
        // Web IDL's record: own enumerable properties, symbols refused.
        toEntries(value) {
            const list = [];
            for (const key of Reflect.ownKeys(value)) {
                const descriptor = Reflect.getOwnPropertyDescriptor(value, key);
                if (descriptor === undefined || !descriptor.enumerable) {
                    continue;
                }
                if (typeof key === 'symbol') {
                    throw new TypeError('a symbol is no text');
                }
                list.push(key, value[key]);
            }
            return list;
        },
    };
}

// A property that is made when it is first read, and a plain one from then on.
function defineLazily(object, name, make) {
    Object.defineProperty(object, name, {
        configurable: true,
        enumerable: true,
        get() {
            const value = make();
            this[name] = value;
            return value;
        },
        set(value) {
            Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
        },
    });
}

function createDevice(Class) {
    const device = Reflect.construct(EventTarget, [], Class);
    eventHandlers.set(device, { value: null, listener: null });
    return device;
}

// Tells the addon how to make objects; returns what belongs on globalThis. The addon's classes are made when
// they are first needed, since a program uses few of them.
module.exports = function createInterfaces(addon) {
    const globals = { ...namespaces };
    const factories = {};
    const prepare = new Map([
        [GPUSupportedLimits, () => addLimits(addon.limitNames)],
        [GPUSupportedFeatures, addIterators],
        [WGSLLanguageFeatures, addIterators],
        // What they inherit from: a base is finished with its first class.
        [GPUValidationError, () => finish(GPUError)],
        [GPUOutOfMemoryError, () => finish(GPUError)],
        [GPUInternalError, () => finish(GPUError)],
    ]);
    for (const Class of valueClasses) {
        unfinished.set(Class, prepare.get(Class) ?? (() => {}));
        defineLazily(globals, Class.name, () => finish(Class));
    }
    addon.interfaces.forEach((name, index) => {
        const isDevice = name === 'GPUDevice';
        let Class;
        const getClass = () => {
            if (Class === undefined) {
                Class = nativeClass(addon.describeInterface(index), isDevice ? EventTarget : undefined);
                if (isDevice) {
                    define(Class.prototype, 'onuncapturederror', {
                        ...Object.getOwnPropertyDescriptor(onuncapturederror, 'onuncapturederror'),
                        enumerable: true,
                    });
                }
            }
            return Class;
        };
        defineLazily(globals, name, getClass);
        factories[name] = isDevice
            ? () => createDevice(getClass())
            : () => Object.create(getClass().prototype);
    });
    addon.initialize(createHooks(), factories);
    return globals;
};

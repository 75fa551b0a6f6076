// SPDX-License-Identifier: MIT

/// <reference types="@webgpu/types" />

export {};

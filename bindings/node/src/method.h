// SPDX-License-Identifier: MIT
//
// The functions of interface.def's rows, by the file that has them. Each is entered through
// object.c with the receiver and the count of arguments checked.

#pragma once

#include "object.h"

#define INTERFACE(id, name, size, release, set_label)
#define METHOD(id, name, function, required) napi_value function(struct call *call);
#define PROMISE(id, name, function, required) napi_value function(struct call *call);
#define READONLY(id, name, getter) napi_value getter(struct call *call);
#define LABEL(id)
#define END_INTERFACE
#include "interface.def"

// SPDX-License-Identifier: MIT
//
// A thread of alba's that runs jobs one after the other, in the order of submission. The instance
// has one for completions (spontaneous callbacks, retirement) and one for compilation, started
// when first needed. Safe from any thread.
#pragma once

#include "webgpu/object/device.h"

struct worker;

// Starts the thread; NULL when there is no memory or no room for it.
struct worker *worker_create(const char *name);
// The job runs on the worker's thread, which does not touch it once its run function was entered.
void worker_submit(struct worker *worker, struct worker_job *job);
// Runs what was submitted, then ends the thread and frees the worker. Waits for that, unless it is
// called by a job of the worker itself. NULL is allowed.
void worker_stop(struct worker *worker);

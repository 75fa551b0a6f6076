// SPDX-License-Identifier: MIT
//
// Environment variables. Safe from any thread as long as the program does not change its
// environment at the same time.
#pragma once

// The value, or NULL when it is not set or empty. Lives as long as the environment.
const char *os_environment_find(const char *name);

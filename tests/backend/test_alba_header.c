// SPDX-License-Identifier: MIT
//
// alba.h alone, as C and as C++: constants, INIT macros, the block of sTypes.

#include <alba/alba.h>

#include "check.h"

TEST(the_version_is_the_build_s) {
    char text[64];
    snprintf(
        text, sizeof(text), "%d.%d.%d", ALBA_VERSION_MAJOR, ALBA_VERSION_MINOR, ALBA_VERSION_PATCH);
    CHECK_STR(text, PROJECT_VERSION_TEXT);
    CHECK_EQ(ALBA_MAKE_VERSION(1, 2, 3), 1002003);
    CHECK_EQ(ALBA_VERSION,
        ALBA_MAKE_VERSION(ALBA_VERSION_MAJOR, ALBA_VERSION_MINOR, ALBA_VERSION_PATCH));
}

TEST(structs_start_with_their_defaults) {
    AlbaInstanceOptions instance = ALBA_INSTANCE_OPTIONS_INIT;
    CHECK(instance.chain.next == NULL);
    CHECK_EQ(instance.chain.sType, 0x0A1B0001);
    CHECK_EQ(instance.backends, AlbaBackends_Default);
    CHECK_EQ(instance.threadCount, 0);
    AlbaDeviceOptions device = ALBA_DEVICE_OPTIONS_INIT;
    CHECK(device.chain.next == NULL);
    CHECK_EQ(device.chain.sType, 0x0A1B0002);
    CHECK(device.watchdogMilliseconds == ALBA_WATCHDOG_DEFAULT);
    CHECK_EQ(device.threadCount, 0);
    CHECK_EQ(device.guardPages, AlbaGuardPages_None);
    CHECK_EQ(device.ledgerListCapacity, 0);
    AlbaSurfaceSourceHeadless surface = ALBA_SURFACE_SOURCE_HEADLESS_INIT;
    CHECK(surface.chain.next == NULL);
    CHECK_EQ(surface.chain.sType, 0x0A1B0003);
    CHECK_EQ(surface.width + surface.height, 0);
    AlbaWarningOptions warnings = ALBA_WARNING_OPTIONS_INIT;
    CHECK_EQ(warnings.chain.sType, 0x0A1B0004);
    CHECK(warnings.chain.next == NULL && warnings.callback == NULL);
    CHECK_EQ(warnings.listCapacity, 0);
    AlbaFrame frame = ALBA_FRAME_INIT;
    CHECK(frame.nextInChain == NULL && frame.data == NULL);
    CHECK_EQ(frame.size, 0);
    AlbaLedgerTotals totals = ALBA_LEDGER_TOTALS_INIT;
    CHECK(totals.nextInChain == NULL);
    CHECK_EQ(totals.crossed.hostToStaging + totals.elided.stagingToHost + totals.entryCount, 0);
}

TEST(no_stype_of_the_standard_is_taken) {
    CHECK_EQ(AlbaSType_InstanceOptions >> 16, 0x0A1B);
    CHECK_EQ(AlbaSType_DeviceOptions >> 16, 0x0A1B);
    CHECK_EQ(AlbaSType_SurfaceSourceHeadless >> 16, 0x0A1B);
    CHECK(AlbaBackends_Null != AlbaBackends_CPU && AlbaBackends_CPU != AlbaBackends_Vulkan);
    AlbaBackends all = AlbaBackends_Null | AlbaBackends_CPU | AlbaBackends_Vulkan;
    CHECK_EQ(all & (AlbaBackends_Default), 0);
}

CHECK_MAIN(the_version_is_the_build_s, structs_start_with_their_defaults,
    no_stype_of_the_standard_is_taken)

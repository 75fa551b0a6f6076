// SPDX-License-Identifier: MIT
//
// Runs all tables, and fails for each rule that has no case.
#include "validation.h"

static const struct validation_table *const tables[] = {&buffer_table, &layout_table, &group_table,
    &pipeline_table, &encoder_table, &pass_table, &queue_table, &query_table, &texture_table,
    &view_table, &texture_group_table, &texel_copy_table, &texture_use_table, &surface_table,
    &render_table, &render_shader_table, &attachment_table, &render_pass_table,
    &render_bundle_table, &draw_table, &usage_table};

static void run_case(struct validation *v, const struct validation_case *item) {
    for (int is_broken = 1; is_broken >= 0; is_broken--) {
        v->message[0] = 0;
        int errors_before = atomic_load(&v->api.error_count);
        wgpuDevicePushErrorScope(v->api.device, WGPUErrorFilter_Validation);
        item->run(v, is_broken != 0);
        struct api_scope_result scope = api_pop_scope(&v->api);
        const char *told = v->message[0] != 0 ? v->message : scope.message;
        bool ok = CHECK_STR(told, is_broken ? item->message : "");
        ok = CHECK_EQ(atomic_load(&v->api.error_count), errors_before) && ok;
        if (!ok) {
            fprintf(stderr, "    rule %s, %s case; uncaptured: %s\n", rule_get_id(item->rule),
                is_broken ? "breaking" : "just valid", v->api.error_message);
        }
    }
}

TEST(every_rule_breaks_and_just_holds) {
    static int case_counts[RULE_COUNT];
    static struct validation v;
    if (!api_begin(&v.api)) {
        return;
    }
    v.other.instance = v.api.instance;
    v.other.adapter = v.api.adapter;
    WGPUDeviceDescriptor descriptor = WGPU_DEVICE_DESCRIPTOR_INIT;
    v.other.device = api_request_device(&v.other, &descriptor, NULL);
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        for (size_t j = 0; j < tables[i]->count; j++) {
            run_case(&v, &tables[i]->cases[j]);
            case_counts[tables[i]->cases[j].rule]++;
        }
    }
    for (int rule = 1; rule < RULE_COUNT; rule++) {
        if (!CHECK(case_counts[rule] > 0)) {
            fprintf(stderr, "    rule %s has no case\n", rule_get_id((enum validate_rule)rule));
        }
    }
    wgpuDeviceRelease(v.other.device);
    api_end(&v.api);
}

CHECK_MAIN(every_rule_breaks_and_just_holds)

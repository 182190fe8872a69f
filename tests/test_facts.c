/* SPDX-License-Identifier: Apache-2.0
 *
 * What is found on made-up machines: a server with nothing wrong, one with everything wrong, one
 * that says nothing. Every fact must be unknown there, or read from what is no file.
 */
#include "tree.h"

#include "attn/cache.h"
#include "harness/facts.h"
#include "harness/system.h"

#define CPU    "/sys/devices/system/cpu"
#define GROUPS "/sys/fs/cgroup"

static machine_facts found;

static int make(void **state)
{
    (void)state;
    static const char *const hooks[] = {"ATTNMARK_GPU_FAULT",  "ATTNMARK_GPU_STAGING",
                                        "ATTNMARK_GPU_LIMITS", "ATTNMARK_SLOWED",
                                        "ATTNMARK_VALIDATION", "ATTNMARK_CPU_DISABLE"};
    for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
        unsetenv(hooks[i]);
    tree_make();
    return 0;
}

static void read_tree(unsigned allowed)
{
    const facts_sources sources = {.root = tree, .cpus_allowed = allowed};
    facts_read(&found, &sources);
}

/* text: a part of what is found. */
static void expect(const char *id, fact_severity severity, const char *text)
{
    const fact *f = facts_find(&found, id);
    if (f == NULL)
        fail_msg("no fact %s", id);
    if (f->severity != severity || strstr(f->found, text) == NULL)
        fail_msg("%s: %s, '%s'; not %s, '%s'", id, fact_severity_name(f->severity), f->found,
                 fact_severity_name(severity), text);
    if ((f->advice[0] != '\0') != (severity > FACT_UNKNOWN))
        fail_msg("%s: advice '%s'", id, f->advice);
}

static void put_cpu(unsigned cpu, const char *governor, const char *clock, const char *throttles)
{
    char name[128];
    snprintf(name, sizeof name, CPU "/cpu%u/cpufreq/scaling_governor", cpu);
    tree_put(name, governor);
    snprintf(name, sizeof name, CPU "/cpu%u/cpufreq/cpuinfo_max_freq", cpu);
    tree_put(name, clock);
    snprintf(name, sizeof name, CPU "/cpu%u/thermal_throttle/core_throttle_count", cpu);
    tree_put(name, throttles);
}

static void put_good_machine(void)
{
    tree_put(CPU "/possible", "0-3");
    tree_put(CPU "/online", "0-1,3");
    for (unsigned cpu = 0; cpu < 4; cpu++)
        put_cpu(cpu, "performance", cpu == 1 ? "4800000" : "5000000", "0");
    tree_put(CPU "/cpufreq/boost", "0");
    tree_put(CPU "/smt/active", "0");
    tree_put("/proc/loadavg", "0.02 0.10 0.20 1/500 1234");
    tree_put("/proc/pressure/cpu", "some avg10=0.40 avg60=0.10 avg300=0.00 total=1");
    tree_put("/proc/pressure/memory", "some avg10=0.00 avg60=0.00 avg300=0.00 total=0");
    tree_put("/proc/meminfo", "MemTotal: 8388608 kB\nMemFree: 1 kB\nMemAvailable: 4194304 kB\n"
                              "SwapTotal: 1024 kB\nSwapFree: 1024 kB");
    tree_put("/proc/stat", "cpu  1000 0 500 90000 10 0 0 5 0 0");
    tree_put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    tree_put("/sys/class/power_supply/AC/type", "Mains");
    tree_put("/proc/cpuinfo", "vendor_id\t: GenuineIntel\nCPU implementer\t: 0x41\nflags\t: fpu");
    tree_put("/proc/1/cgroup", "0::/init.scope");
    tree_put("/proc/self/cgroup", "0::/user.slice/run");
    tree_put(GROUPS "/cgroup.controllers", "cpu memory");
    tree_link("/proc/self/exe", "/usr/bin/attnmark");
    tree_link("/proc/thread-self/exe", "/usr/bin/attnmark");
}

static void a_good_machine(void **state)
{
    (void)state;
    put_good_machine();
    read_tree(3);
    expect("governor", FACT_FINE, "performance on 4 CPUs");
    expect("boost", FACT_FINE, "off");
    expect("smt", FACT_FINE, "one thread");
    expect("core_kinds", FACT_FINE, "one kind");
    expect("cpus_allowed", FACT_FINE, "all 3 CPUs");
    expect("load", FACT_FINE, "0.02 in the last minute, 0 other threads");
    expect("cpu_pressure", FACT_FINE, "0.4 %");
    expect("memory_pressure", FACT_FINE, "0.0 %");
    expect("memory_free", FACT_FINE, "4.0 GiB of 8.0 GiB");
    expect("swap", FACT_FINE, "not in use");
    expect("huge_pages", FACT_FINE, "[madvise]");
    expect("steal", FACT_FINE, "0.33 % since");
    expect("throttling", FACT_FINE, "0 events");
    expect("power", FACT_FINE, "no battery");
    expect("virtual_machine", FACT_FINE, "no");
    expect("container", FACT_FINE, "no sign");
    expect("cpu_quota", FACT_FINE, "none");
    expect("emulation", FACT_FINE, "no sign");
    expect("hooks", FACT_FINE, "none");
    expect("vulkan_software", FACT_FINE, "none");
    assert_null(facts_find(&found, "counters")); /* not asked for */
    assert_null(facts_find(&found, "nonsense"));
}

static void a_bad_machine(void **state)
{
    (void)state;
    put_good_machine();
    put_cpu(2, "powersave", "3000000", "7");
    tree_put(CPU "/cpufreq/boost", "1");
    tree_put(CPU "/smt/active", "1");
    tree_put("/proc/loadavg", "2.50 0.10 0.20 4/500 1234");
    tree_put("/proc/pressure/cpu", "some avg10=0.00 avg60=8.00 avg300=0.00 total=1");
    tree_put("/proc/pressure/memory", "some avg10=2.00 avg60=0.00 avg300=0.00 total=0");
    tree_put("/proc/meminfo", "MemTotal: 8388608 kB\nMemAvailable: 524288 kB\n"
                              "SwapTotal: 2048 kB\nSwapFree: 1024 kB");
    tree_put("/proc/stat", "cpu  1000 0 500 90000 10 0 0 500 0 0");
    tree_put("/sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]");
    tree_put("/sys/class/power_supply/BAT0/type", "Battery");
    tree_put("/sys/class/power_supply/BAT0/status", "Discharging");
    tree_put("/proc/cpuinfo", "vendor_id : x\nCPU implementer : x\nflags : fpu hypervisor sse");
    tree_put("/sys/class/dmi/id/sys_vendor", "Example Corp.");
    tree_put("/proc/1/cgroup", "0::/kubepods/pod1");
    tree_put(GROUPS "/user.slice/cpu.max", "150000 100000");
    tree_put(GROUPS "/user.slice/run/cpu.max", "max 100000");
    tree_link("/proc/thread-self/exe", "/usr/bin/qemu-x86_64");
    assert_int_equal(setenv("ATTNMARK_GPU_FAULT", "submit:1", 1), 0);
    read_tree(2);
    expect("governor", FACT_WARNING, "powersave on 1 of 4 CPUs");
    expect("boost", FACT_NOTE, "on");
    expect("smt", FACT_NOTE, "several");
    expect("core_kinds", FACT_WARNING, "from 3000 to 5000 MHz");
    expect("cpus_allowed", FACT_NOTE, "2 of 3");
    expect("load", FACT_WARNING, "2.50 in the last minute, 3 other threads");
    expect("cpu_pressure", FACT_WARNING, "8.0 % of a minute");
    expect("memory_pressure", FACT_WARNING, "2.0 % of 10 s");
    expect("memory_free", FACT_WARNING, "512.0 MiB of 8.0 GiB");
    expect("swap", FACT_NOTE, "1.0 MiB");
    expect("huge_pages", FACT_NOTE, "never");
    expect("steal", FACT_NOTE, "25.00 % since");
    expect("throttling", FACT_NOTE, "7 events");
    expect("power", FACT_WARNING, "BAT0");
    expect("virtual_machine", FACT_NOTE, "Example Corp.");
    expect("container", FACT_NOTE, "kubepods");
    expect("cpu_quota", FACT_WARNING, "1.500 CPUs");
    expect("emulation", FACT_FATAL, "qemu-x86_64");
    expect("hooks", FACT_FATAL, "ATTNMARK_GPU_FAULT=submit:1");
    assert_int_equal(facts_worst(&found), FACT_FATAL);
    assert_true(facts_count(&found, FACT_FATAL) >= 2); /* and perhaps this build */
}

/* No file, no trust: only what is not read from files can be fine. */
static void a_machine_that_says_nothing(void **state)
{
    (void)state;
    static const char *const own[] = {"build", "hooks", "vulkan_software"};
    read_tree(0);
    assert_true(found.count >= 20);
    for (size_t i = 0; i < found.count; i++) {
        bool ours = false;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            ours = ours || strcmp(found.list[i].id, own[k]) == 0;
        if (!ours && found.list[i].severity != FACT_UNKNOWN)
            fail_msg("%s is %s: %s", found.list[i].id, fact_severity_name(found.list[i].severity),
                     found.list[i].found);
    }
}

static void cores_of_several_kinds(void **state)
{
    (void)state;
    tree_put(CPU "/possible", "0-1");
    tree_put(CPU "/cpu0/regs/identification/midr_el1", "0x00000000410fd0b0");
    tree_put(CPU "/cpu1/regs/identification/midr_el1", "0x00000000410fd050");
    read_tree(0);
    expect("core_kinds", FACT_WARNING, "midr_el1");
    tree_put(CPU "/cpu0/cpu_capacity", "1024");
    tree_put(CPU "/cpu1/cpu_capacity", "446");
    read_tree(0);
    expect("core_kinds", FACT_WARNING, "from 446 to 1024");
    tree_put("/sys/devices/cpu_core/cpus", "0-15");
    tree_put("/sys/devices/cpu_atom/cpus", "16-23");
    read_tree(0);
    expect("core_kinds", FACT_WARNING, "efficiency cores 16-23");
}

/* The tightest of all levels; -1 is no limit. */
static void quotas_of_version_1(void **state)
{
    (void)state;
    tree_put("/proc/self/cgroup", "9:memory:/x\n4:cpu,cpuacct:/a/b\n0::/");
    tree_put(GROUPS "/cpu/cpu.cfs_quota_us", "-1");
    tree_put(GROUPS "/cpu/cpu.cfs_period_us", "100000");
    read_tree(0);
    expect("cpu_quota", FACT_FINE, "none");
    tree_put(GROUPS "/cpu/a/cpu.cfs_quota_us", "50000");
    tree_put(GROUPS "/cpu/a/cpu.cfs_period_us", "100000");
    tree_put(GROUPS "/cpu/a/b/cpu.cfs_quota_us", "400000");
    tree_put(GROUPS "/cpu/a/b/cpu.cfs_period_us", "100000");
    read_tree(0);
    expect("cpu_quota", FACT_WARNING, "0.5 CPUs");
}

static void a_mouse_is_no_laptop(void **state)
{
    (void)state;
    tree_put("/sys/class/power_supply/mouse/type", "Battery");
    tree_put("/sys/class/power_supply/mouse/scope", "Device");
    tree_put("/sys/class/power_supply/mouse/status", "Discharging");
    read_tree(0);
    expect("power", FACT_FINE, "no battery");
    tree_put("/sys/class/power_supply/BAT1/type", "Battery");
    tree_put("/sys/class/power_supply/BAT1/status", "Charging");
    read_tree(0);
    expect("power", FACT_FINE, "plugged in");
}

/* The CPU of the other architecture alone, then translated and emulated ones of this. */
static void foreign_cpus(void **state)
{
    (void)state;
#if defined(__x86_64__)
    tree_put("/proc/cpuinfo", "CPU implementer : 0x41");
    read_tree(0);
    expect("emulation", FACT_FATAL, "built for x86");
    tree_put("/proc/cpuinfo", "vendor_id : VirtualApple\nflags : fpu");
    read_tree(0);
    expect("emulation", FACT_FATAL, "VirtualApple");
    tree_put("/proc/cpuinfo", "vendor_id : GenuineIntel\nmodel name : QEMU TCG CPU version 2.5+");
    read_tree(0);
    expect("emulation", FACT_FATAL, "QEMU");
#elif defined(__aarch64__)
    tree_put("/proc/cpuinfo", "vendor_id : GenuineIntel\nflags : fpu");
    read_tree(0);
    expect("emulation", FACT_FATAL, "built for Arm");
#else
    NOTHING_TO_TEST("no names of CPUs for this architecture");
#endif
}

static void hooks_are_judged(void **state)
{
    (void)state;
    assert_int_equal(setenv("ATTNMARK_CPU_DISABLE", "avx512f", 1), 0);
    read_tree(0);
    expect("hooks", FACT_WARNING, "ATTNMARK_CPU_DISABLE=avx512f");

    assert_int_equal(setenv("ATTNMARK_SLOWED", "avx2_*:5", 1), 0);
    read_tree(0);
    expect("hooks", FACT_FATAL, "ATTNMARK_SLOWED=avx2_*:5");
    assert_int_equal(unsetenv("ATTNMARK_SLOWED"), 0);

    assert_int_equal(setenv("ATTNMARK_VALIDATION", "core", 1), 0);
    read_tree(0);
    expect("hooks", FACT_WARNING, "ATTNMARK_VALIDATION=core, ATTNMARK_CPU_DISABLE");
    assert_int_equal(setenv("ATTNMARK_VALIDATION", "core,gpu", 1), 0);
    read_tree(0);
    expect("hooks", FACT_FATAL, "core,gpu");
}

static void fatal_facts_invalidate(void **state)
{
    (void)state;
    const machine_facts made = {.count = 4,
                                .list = {{"a", FACT_WARNING, "bad", "x"},
                                         {"b", FACT_FATAL, "worse", "x"},
                                         {"c", FACT_UNKNOWN, "no file", ""},
                                         {"d", FACT_FATAL, "worst", "x"}}};
    const machine_facts harmless = {.count = 1, .list = {{"a", FACT_WARNING, "bad", "x"}}};
    attn_reason why;
    assert_true(facts_invalidating(&made, &why));
    assert_string_equal(why.text, "b: worse; d: worst");
    assert_false(facts_invalidating(&harmless, &why));
    assert_string_equal(why.text, "");
    json_t *array = facts_json(&made);
    assert_int_equal(json_array_size(array), 4);
    const json_t *c = json_array_get(array, 2);
    assert_string_equal(json_string_value(json_object_get(c, "severity")), "unknown");
    assert_true(json_is_null(json_object_get(c, "advice")));
    json_decref(array);
}

static void throttling_can_be_watched(void **state)
{
    (void)state;
    uint64_t events = 1;
    assert_false(facts_throttle_events(tree, &events));
    tree_put(CPU "/possible", "0-1");
    put_cpu(0, "x", "1", "3");
    put_cpu(1, "x", "1", "4");
    tree_put(CPU "/cpu0/thermal_throttle/package_throttle_count", "10");
    assert_true(facts_throttle_events(tree, &events));
    assert_int_equal(events, 17);
}

static void lists_of_numbers(void **state)
{
    (void)state;
    assert_int_equal(attn_count_cpus(""), 0);
    assert_int_equal(attn_count_cpus("0"), 1);
    assert_int_equal(attn_count_cpus("0-3,8,10-11"), 7);
    assert_int_equal(attn_count_cpus("3-0"), 0);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make, tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(a_good_machine),
        IN_TREE(a_bad_machine),
        IN_TREE(a_machine_that_says_nothing),
        IN_TREE(cores_of_several_kinds),
        IN_TREE(quotas_of_version_1),
        IN_TREE(a_mouse_is_no_laptop),
        IN_TREE(foreign_cpus),
        IN_TREE(hooks_are_judged),
        IN_TREE(fatal_facts_invalidate),
        IN_TREE(throttling_can_be_watched),
        IN_TREE(lists_of_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

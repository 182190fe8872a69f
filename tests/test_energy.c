/* SPDX-License-Identifier: Apache-2.0
 *
 * Energy by made-up meters: packages, counters that start again, sensors of hwmon, what may not be
 * read.
 */
#include "tree.h"

#include <math.h>

#include "harness/energy.h"

#define RAPL  "/sys/class/powercap/intel-rapl"
#define HWMON "/sys/class/hwmon/hwmon"

static void put_package(const char *zone, const char *name, const char *energy, const char *range)
{
    char path[128];
    snprintf(path, sizeof path, "%s/name", zone);
    tree_put(path, name);
    snprintf(path, sizeof path, "%s/energy_uj", zone);
    tree_put(path, energy);
    snprintf(path, sizeof path, "%s/max_energy_range_uj", zone);
    tree_put(path, range);
}

static void assert_joules(double is, double want)
{
    if (isnan(want) ? !isnan(is) : !(fabs(is - want) <= 1e-9 * want))
        fail_msg("%.17g J, not %.17g", is, want);
}

static void nothing_is_not_zero(void **state)
{
    (void)state;
    energy e;
    energy_reading now;
    energy_open(&e, tree);
    assert_int_equal(e.count, 0);
    assert_non_null(strstr(e.why.text, "no meter"));
    energy_read(&e, &now);
    assert_false(now.known);
    assert_joules(energy_between_j(&e, &now, &now), NAN);
}

/* Two packages are summed; what is below them, or beside them, is not counted twice. */
static void packages_are_summed(void **state)
{
    (void)state;
    energy e;
    energy_reading before, after;
    put_package(RAPL ":0", "package-0", "1000000", "262143328850");
    put_package(RAPL ":1", "package-1", "5000000", "262143328850");
    put_package(RAPL ":2", "psys", "1", "262143328850");
    put_package(RAPL ":0:0", "core", "7", "262143328850");
    put_package(RAPL "-mmio:0", "package-0", "1000000", "262143328850");
    energy_open(&e, tree);
    assert_int_equal(e.count, 2);
    assert_string_equal(e.why.text, "");
    assert_string_equal(e.source, "powercap: 2 packages");
    energy_read(&e, &before);
    tree_put(RAPL ":0/energy_uj", "3500000");
    tree_put(RAPL ":1/energy_uj", "5250000");
    energy_read(&e, &after);
    assert_joules(energy_between_j(&e, &before, &after), 2.75);
    assert_joules(energy_between_j(&e, &before, &before), NAN); /* it stood still */
}

static void counters_start_again(void **state)
{
    (void)state;
    energy e;
    energy_reading before, after;
    put_package(RAPL ":0", "package-0", "999000", "1000000");
    energy_open(&e, tree);
    assert_string_equal(e.source, "powercap: 1 package");
    energy_read(&e, &before);
    tree_put(RAPL ":0/energy_uj", "500");
    energy_read(&e, &after);
    assert_joules(energy_between_j(&e, &before, &after), 0.0015);
    e.range[0] = 0; /* from where it started again is unknown */
    assert_joules(energy_between_j(&e, &before, &after), NAN);
    tree_put(RAPL ":0/energy_uj", "gone");
    energy_read(&e, &after);
    assert_joules(energy_between_j(&e, &before, &after), NAN);
}

/* Root may read everything, so that it must be somebody else for the time. */
static void what_may_not_be_read(void **state)
{
    (void)state;
    energy e;
    const bool root = geteuid() == 0;
    put_package(RAPL ":0", "package-0", "1", "1000000");
    put_package(RAPL ":1", "package-1", "1", "1000000");
    assert_int_equal(chmod(tree_path(RAPL ":1/energy_uj"), 0), 0);
    if (root && seteuid(65534) != 0)
        NOTHING_TO_TEST("this process cannot be another user");
    energy_open(&e, tree);
    if (root)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(e.count, 0); /* one of two packages is no sum */
    assert_string_equal(e.source, "");
    assert_non_null(strstr(e.why.text, RAPL ":1/energy_uj: Permission denied"));
}

/* amd_energy counts cores beside their socket. */
static void sockets_of_hwmon(void **state)
{
    (void)state;
    energy e;
    energy_reading before, after;
    tree_put(HWMON "0/name", "amdgpu");
    tree_put(HWMON "0/energy1_input", "5");
    tree_put(HWMON "1/name", "amd_energy");
    tree_put(HWMON "1/energy1_label", "Ecore000");
    tree_put(HWMON "1/energy1_input", "1");
    tree_put(HWMON "1/energy2_label", "Esocket0");
    tree_put(HWMON "1/energy2_input", "100");
    energy_open(&e, tree);
    assert_int_equal(e.count, 1);
    assert_string_equal(e.source, "hwmon: amd_energy");
    energy_read(&e, &before);
    tree_put(HWMON "1/energy2_input", "2000100");
    energy_read(&e, &after);
    assert_joules(energy_between_j(&e, &before, &after), 2);
}

/* A sensor of power: its mean times the time between the readings. */
static void power_of_hwmon(void **state)
{
    (void)state;
    energy e;
    energy_reading before, after;
    tree_put(HWMON "3/name", "power_meter");
    tree_put(HWMON "3/power1_average", "10000000");
    energy_open(&e, tree);
    assert_true(e.power);
    assert_string_equal(e.source, "hwmon: power_meter");
    energy_read(&e, &before);
    tree_put(HWMON "3/power1_average", "30000000");
    energy_read(&e, &after);
    assert_true(after.at_s >= before.at_s);
    before.at_s = 1;
    after.at_s = 1.5;
    assert_joules(energy_between_j(&e, &before, &after), 10);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_setup, tree_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_TREE(nothing_is_not_zero),  IN_TREE(packages_are_summed), IN_TREE(counters_start_again),
        IN_TREE(what_may_not_be_read), IN_TREE(sockets_of_hwmon),    IN_TREE(power_of_hwmon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0
 *
 * Devices in a gallery: what a name and a driver say. Drivers make other numbers of one GPU.
 */
#include <math.h>
#include <string.h>

#include "harness/report/gallery.h"

bool gallery_is_timed(const result_row *row)
{
    return row->status == ATTN_OK && !row->roof && isfinite(row->median_ns);
}

static bool is_cpu(const result_row *row)
{
    return strcmp(row->device, "cpu") == 0;
}

const char *gallery_device(const result_row *row)
{
    return is_cpu(row) ? "cpu" : row->device_name;
}

bool gallery_same_device(const run_file *run_a, const result_row *a, const run_file *run_b,
                         const result_row *b)
{
    return strcmp(gallery_device(a), gallery_device(b)) == 0 &&
           strcmp(data_driver(run_a, a), data_driver(run_b, b)) == 0;
}

static json_t *device_json(const run_file *run, const result_row *row)
{
    json_t *o = json_object();
    json_object_set_new(o, "name", json_value_text(gallery_device(row)));
    json_object_set_new(o, "driver", json_value_text(data_driver(run, row)));
    json_object_set_new(o, "software", json_boolean(row->software && !is_cpu(row)));
    return o;
}

/* Its place; the size of the list: it is not there. */
static size_t find(const json_t *list, const json_t *device)
{
    size_t i = 0;
    while (i < json_array_size(list) && !json_equal(json_array_get(list, i), device))
        i++;
    return i;
}

void gallery_add_devices(json_t *list, const run_file *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const result_row *row = &run->rows[i];
        if (!gallery_is_timed(row))
            continue;
        json_t *device = device_json(run, row);
        if (find(list, device) == json_array_size(list))
            json_array_insert(list, is_cpu(row) ? 0 : json_array_size(list), device);
        json_decref(device);
    }
}

json_t *gallery_devices(const run_file *run)
{
    json_t *list = json_array();
    gallery_add_devices(list, run);
    return list;
}

json_t *gallery_device_place(const json_t *list, const run_file *run, const result_row *row)
{
    json_t *device = device_json(run, row);
    const size_t place = find(list, device);
    json_decref(device);
    return json_value_count(place);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/report/place.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* First words of CPU models, for headers without a cpu_vendor. */
static const char *const vendors[] = {"AMD", "Intel", "Apple", "Arm", "Ampere", "Qualcomm"};

/* Words of names that tell nothing apart. */
static const char *const noise[] = {"cpu", "processor", "r", "tm", "with", "graphics"};

static bool is_slug_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

char *place_slug(const char *text, char *slug, size_t size)
{
    size_t length = 0;
    bool gap = false;
    for (const char *c = text != NULL ? text : ""; *c != '\0'; c++) {
        if (!is_slug_char(lower(*c))) {
            gap = length > 0;
            continue;
        }
        if (length + 1 + gap >= size)
            break;
        if (gap)
            slug[length++] = '-';
        slug[length++] = lower(*c);
        gap = false;
    }
    slug[length] = '\0';
    if (length == 0)
        snprintf(slug, size, "unknown");
    return slug;
}

bool place_is_slug(const char *text, size_t size)
{
    const size_t length = strlen(text);
    bool slug = length > 0 && length < size && text[0] != '-' && text[length - 1] != '-';
    for (size_t i = 0; i < length && slug; i++)
        slug = is_slug_char(text[i]) || (text[i] == '-' && text[i - 1] != '-');
    return slug;
}

static bool has_form(const char *text, const char *form)
{
    bool met = strlen(text) == strlen(form);
    for (size_t i = 0; met && form[i] != '\0'; i++)
        met = form[i] == '0' ? text[i] >= '0' && text[i] <= '9' : text[i] == form[i];
    return met;
}

bool place_is_time(const char *text)
{
    return has_form(text, "00000000T000000Z");
}

static const char *text_of(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text != NULL ? text : "";
}

/* Is `word` what `text` begins with, as a word of its own? */
static bool begins_with(const char *text, const char *word)
{
    const size_t length = strlen(word);
    return strncasecmp(text, word, length) == 0 && !is_slug_char(lower(text[length]));
}

static const char *vendor_of(const json_t *machine)
{
    const char *vendor = text_of(machine, "cpu_vendor"), *model = text_of(machine, "cpu_model");
    for (size_t i = 0; i < sizeof vendors / sizeof *vendors && vendor[0] == '\0'; i++)
        if (begins_with(model, vendors[i]))
            vendor = vendors[i];
    return vendor;
}

/* Drops words of a slug that are noise, and the vendor's name in front. */
static void drop_noise(char *slug, const char *vendor)
{
    char out[PLACE_MACHINE] = "";
    size_t length = 0;
    for (const char *word = slug; *word != '\0';) {
        const size_t size = strcspn(word, "-");
        bool drop = word == slug && strlen(vendor) == size && strncmp(word, vendor, size) == 0;
        for (size_t i = 0; i < sizeof noise / sizeof *noise && !drop; i++)
            drop = strlen(noise[i]) == size && strncmp(word, noise[i], size) == 0;
        if (!drop)
            length += (size_t)snprintf(out + length, sizeof out - length, "%s%.*s",
                                       length > 0 ? "-" : "", (int)size, word);
        word += size + (word[size] == '-');
    }
    if (out[0] != '\0')
        memcpy(slug, out, length + 1);
}

/* What comes after '@' is a clock, and what in parentheses details. */
static void model_slug(const char *name, const char *vendor, char *slug, size_t size)
{
    char text[256];
    snprintf(text, sizeof text, "%.255s", name);
    text[strcspn(text, "@")] = '\0';
    drop_noise(place_slug(text, slug, size), vendor);
}

/* The first device that is no software; "" without one. */
static const char *gpu_name(const json_t *devices)
{
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const json_t *device = json_array_get(devices, i);
        if (json_is_false(json_object_get(device, "software")))
            return text_of(device, "name");
    }
    return "";
}

attn_status place_of(const json_t *header, place *p, attn_reason *why)
{
    const json_t *machine = json_object_get(header, "machine");
    const json_int_t count = json_integer_value(json_object_get(machine, "processors"));
    const char *time = text_of(header, "time");
    const char *gpu = gpu_name(json_object_get(header, "devices"));
    char cpu[41], device[25] = "software";
    if (!has_form(time, "0000-00-00T00:00:00Z"))
        return attn_because(why, ATTN_ERROR, "time: want one like 2026-01-31T12:00:00Z");
    snprintf(p->time, sizeof p->time, "%.4s%.2s%.5s%.2s%.3s", time, time + 5, time + 8, time + 14,
             time + 17);
    place_slug(vendor_of(machine), p->vendor, sizeof p->vendor);
    model_slug(text_of(machine, "cpu_model"), p->vendor, cpu, sizeof cpu);
    if (gpu[0] != '\0')
        model_slug(gpu, "", device, sizeof device);
    if (count > 0 && count < 100000)
        snprintf(p->machine, sizeof p->machine, "%s-%dcpu-%s", cpu, (int)count, device);
    else
        snprintf(p->machine, sizeof p->machine, "%s-%s", cpu, device);
    return ATTN_OK;
}

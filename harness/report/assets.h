/* SPDX-License-Identifier: Apache-2.0
 *
 * The files that pages are made of (harness/report/page/), inside the program. Each list ends with
 * a row whose name is NULL; harness/report/page/meson.build says what is in it, and in which order.
 */
#ifndef HARNESS_REPORT_ASSETS_H
#define HARNESS_REPORT_ASSETS_H

typedef struct report_asset {
    const char *name;         /* "uplot/uPlot.min.css" */
    const char *const *lines; /* each with its newline; NULL at the end */
} report_asset;

extern const report_asset report_templates[]; /* of all pages: one, page.html */
extern const report_asset report_licences[];  /* of what is in styles and scripts */
extern const report_asset report_styles[];
extern const report_asset report_scripts[];
extern const report_asset gallery_scripts[];

#endif

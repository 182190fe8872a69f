/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/plot.h"

#include <math.h>
#include <string.h>

#include "harness/caption.h"
#include "harness/format.h"
#include "harness/table.h"

enum { WIDTH = 61, BESIDE = 12, HEIGHT = 19, LABEL = 9 };

typedef struct axes {
    double n_low, n_high, t_low, t_high; /* logarithms to base 10 */
} axes;

static bool timed(const fit_point *p)
{
    return isfinite(p->t) && p->t > 0;
}

static axes find_axes(const series *list, size_t count, char length)
{
    axes a = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; series_length(&list[s]) == length && i < list[s].count; i++) {
            const fit_point *p = &list[s].points[i];
            if (!timed(p))
                continue;
            a.n_low = fmin(a.n_low, log10(p->n));
            a.n_high = fmax(a.n_high, log10(p->n));
            a.t_low = fmin(a.t_low, log10(p->t));
            a.t_high = fmax(a.t_high, log10(p->t));
        }
    if (a.t_high - a.t_low < 1e-3)
        a.t_high = a.t_low + 1e-3;
    return a;
}

static int column_of(const axes *a, double n)
{
    return (int)lround((log10(n) - a->n_low) / (a->n_high - a->n_low) * (WIDTH - 1));
}

static int line_of(const axes *a, double t)
{
    return (int)lround((a->t_high - log10(t)) / (a->t_high - a->t_low) * (HEIGHT - 1));
}

/* The length of every point below its column, as far as they do not collide. */
static void print_length_axis(FILE *out, const axes *a, const series *list, size_t count,
                              char length)
{
    char text[WIDTH + BESIDE];
    memset(text, ' ', sizeof text);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; series_length(&list[s]) == length && i < list[s].count; i++) {
            char label[16];
            int width = snprintf(label, sizeof label, "%.0f", list[s].points[i].n);
            int column = timed(&list[s].points[i]) ? column_of(a, list[s].points[i].n) : -1;
            int from = column > 0 ? column - 1 : 0, to = column + width + 1;
            if (column < 0 || to > (int)sizeof text)
                continue;
            bool clear = true;
            for (int c = from; c < to; c++)
                clear = clear && text[c] == ' ';
            if (clear)
                memcpy(text + column, label, (size_t)width);
        }
    int end = (int)sizeof text;
    while (end > 0 && text[end - 1] == ' ')
        end--;
    fprintf(out, "%*s %c %.*s\n", LABEL, "", length, end, text);
}

static void print_legend(FILE *out, const series *list, size_t count, char length)
{
    const caption names = caption_of_curves(list, count, length);
    char own[ATTN_WORKLOAD_TEXT], place[96];
    for (size_t s = 0; s < count; s++) {
        const result_row *row = list[s].first;
        bool any = false;
        for (size_t i = 0; series_length(&list[s]) == length && i < list[s].count; i++)
            any = any || timed(&list[s].points[i]);
        if (!any)
            continue;
        caption_curve(&names, &list[s], own);
        fprintf(out, "%*s   %c  %s on %s%s%s\n", LABEL, "", list[s].mark, row->kernel,
                table_place(row, place, sizeof place), own[0] ? ": " : "", own);
    }
}

static void put_mark(char *line, int column, char mark)
{
    int last = column + BESIDE - 1;
    while (column < last && line[column] != ' ')
        column++;
    line[column] = mark;
}

/* The curves over one length. */
static void print_plot(FILE *out, const series *list, size_t count, char length)
{
    char grid[HEIGHT][WIDTH + BESIDE];
    axes a = find_axes(list, count, length);
    if (!(a.n_high > a.n_low))
        return;
    memset(grid, ' ', sizeof grid);
    for (size_t s = 0; s < count; s++)
        for (size_t i = 0; series_length(&list[s]) == length && i < list[s].count; i++) {
            const fit_point *p = &list[s].points[i];
            if (timed(p))
                put_mark(grid[line_of(&a, p->t)], column_of(&a, p->n), list[s].mark);
        }
    fprintf(out, "\nTime of one run against %c (log-log)\n", length);
    for (int line = 0; line < HEIGHT; line++) {
        const char *label = "";
        format_text time;
        if (line % 6 == 0) {
            double part = (double)line / (HEIGHT - 1);
            time = format_ns(pow(10, a.t_high + part * (a.t_low - a.t_high)));
            label = time.text;
        }
        int end = WIDTH + BESIDE;
        while (end > 0 && grid[line][end - 1] == ' ')
            end--;
        fprintf(out, end > 0 ? "%*s | %.*s\n" : "%*s |\n", LABEL, label, end, grid[line]);
    }
    fprintf(out, "%*s +-", LABEL, "");
    for (int c = 0; c < WIDTH + BESIDE; c++)
        fputc('-', out);
    fputc('\n', out);
    print_length_axis(out, &a, list, count, length);
    print_legend(out, list, count, length);
}

void plot_print(FILE *out, const series *list, size_t count)
{
    print_plot(out, list, count, 'n');
    print_plot(out, list, count, 'm');
}

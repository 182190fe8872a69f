/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/gbench.h"

#include <benchmark/benchmark.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "harness/gbench_flags.h"
#include "harness_config.h"

using benchmark::BenchmarkReporter;
using Run = BenchmarkReporter::Run;

struct gbench {
    gbench_flags flags = {nullptr, 0, 0, false};
    std::map<size_t, std::vector<Run>> runs; /* samples of rows that are not finished */
    std::vector<std::vector<Run>> kept;
};

namespace
{

/* Counters by which the other clocks come back from Google Benchmark, and go to gb.json. */
const char WALL[] = "wall_s", EMPTY[] = "empty_s";

/* Takes each sample as it is reported; aggregates are ours to make. */
class Collector : public BenchmarkReporter
{
  public:
    explicit Collector(gbench *g, const gbench_item *items) : g_(g), items_(items) {}
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &reports) override
    {
        for (const Run &run : reports) {
            if (run.run_type != Run::RT_Iteration || run.iterations <= 0)
                continue;
            /* Every item is a family of its own, registered in the order of items. */
            const gbench_item &item = items_[run.family_index];
            if (!(run.real_accumulated_time > 0))
                continue; /* ended by an error, which the row already knows */
            const gbench_times mean = {run.real_accumulated_time /
                                           static_cast<double>(run.iterations),
                                       counter(run, WALL), counter(run, EMPTY)};
            item.sample(item.context, &mean);
            g_->runs[item.id].push_back(run);
        }
    }

  private:
    static double counter(const Run &run, const char *name)
    {
        const auto found = run.counters.find(name);
        return found == run.counters.end() ? NAN : found->second.value;
    }

    gbench *g_;
    const gbench_item *items_;
};

/* Remembers the names that a filter lets through. */
class NameCollector : public BenchmarkReporter
{
  public:
    bool ReportContext(const Context &) override { return true; }
    void ReportRuns(const std::vector<Run> &reports) override
    {
        for (const Run &run : reports)
            names[run.run_name.function_name] = true;
    }
    std::map<std::string, bool> names;
};

/* Its JSON escapes neither control characters nor what is not UTF-8. */
std::string printable(const char *text)
{
    std::string clean = text;
    for (char &c : clean)
        if (c < 0x20 || c > 0x7e)
            c = '?';
    return clean;
}

void count_mean(benchmark::State &state, const char *name, double total)
{
    if (std::isfinite(total)) /* JSON has no NaN */
        state.counters[name] = benchmark::Counter(total, benchmark::Counter::kAvgIterations);
}

void run_item(benchmark::State &state, const gbench_item &item)
{
    double wall_s = 0, empty_s = 0;
    state.SetLabel(printable(item.label).c_str());
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(item.batch))) {
        gbench_times times = {0, NAN, NAN};
        if (!item.run(item.context, item.batch, &times)) {
            state.SkipWithError("this row ended early: see run.jsonl");
            break;
        }
        state.SetIterationTime(times.seconds);
        wall_s += times.wall_s;
        empty_s += times.empty_s;
    }
    count_mean(state, WALL, wall_s);
    count_mean(state, EMPTY, empty_s);
    if (item.flops > 0) /* what computes nothing has no rate */
        state.counters["FLOP/s"] = benchmark::Counter(
            static_cast<double>(item.flops), benchmark::Counter::kIsIterationInvariantRate);
}

/* C is on the other side: no exception leaves this file. */
template <typename Body> attn_status guarded(attn_reason *why, Body body)
{
    try {
        return body();
    } catch (const std::exception &e) {
        return attn_because(why, ATTN_ERROR, "Google Benchmark: %.150s", e.what());
    } catch (...) {
        return attn_because(why, ATTN_ERROR, "Google Benchmark gave up");
    }
}

/* Gives back the first flag that Google Benchmark does not know, or "". It keeps the others for the
 * whole process. */
std::string initialize(std::vector<std::string> &flags)
{
    static char name[] = "attnmark"; /* it keeps the pointer */
    std::vector<char *> argv = {name};
    for (std::string &flag : flags)
        argv.push_back(&flag[0]);
    int argc = static_cast<int>(argv.size());
    argv.push_back(nullptr);
    benchmark::Initialize(&argc, argv.data());
    return argc > 1 ? argv[1] : "";
}

attn_status start(gbench *g, int flag_count, const char *const *flags, attn_reason *why)
{
    std::vector<std::string> passed;
    for (int i = 0; i < flag_count; i++) {
        bool pass;
        attn_status status = gbench_flags_take(&g->flags, flags[i], &pass, why);
        if (status != ATTN_OK)
            return status;
        if (pass)
            passed.push_back(flags[i]);
    }
    /* Stated although some are the defaults: BENCHMARK_* variables could change those, and flags
     * outlive an earlier gbench. */
    std::vector<std::string> all = {
        "--benchmark_filter=",
        "--benchmark_format=console",
        "--benchmark_out_format=json",
        "--benchmark_time_unit=ns",
        "--benchmark_min_warmup_time=0",
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_report_aggregates_only=false",
        "--benchmark_display_aggregates_only=false",
        "--benchmark_out=",
        "--benchmark_min_time=" + std::to_string(g->flags.min_time) + GBENCH_MIN_TIME_UNIT,
        std::string("--benchmark_list_tests=") + (g->flags.list ? "true" : "false"),
        "--benchmark_repetitions=1"}; /* a round; by flag: Repetitions(1) would rename rows */
    all.insert(all.end(), passed.begin(), passed.end());
    std::string unknown = initialize(all);
    if (!unknown.empty())
        return attn_because(why, ATTN_ERROR, "Google Benchmark does not know %.200s",
                            unknown.c_str());
    static bool named = false;
    if (!named)
        benchmark::AddCustomContext("attnmark_version", ATTNMARK_VERSION);
    named = true;
    return ATTN_OK;
}

attn_status select(const gbench *g, const char *const *names, size_t count, bool *selected,
                   bool *listed, attn_reason *why)
{
    NameCollector reporter;
    std::ostringstream errors;
    reporter.SetErrorStream(&errors);
    for (size_t i = 0; i < count; i++)
        benchmark::RegisterBenchmark(names[i], [](benchmark::State &state) {
            while (state.KeepRunningBatch(1))
                state.SetIterationTime(1e6); /* long enough for any --benchmark_min_time */
        })->UseManualTime();
    size_t matched = benchmark::RunSpecifiedBenchmarks(&reporter);
    *listed = matched > 0 && g->flags.list;
    for (size_t i = 0; i < count; i++)
        selected[i] = reporter.names.count(names[i]) > 0;
    if (matched > 0)
        return ATTN_OK;
    std::string text = errors.str();
    return attn_because(why, ATTN_ERROR, "%.200s", text.substr(0, text.find('\n')).c_str());
}

/* Several gbench_run of one row become one row. */
void keep(gbench *g, size_t id)
{
    auto found = g->runs.find(id);
    if (found == g->runs.end())
        return;
    std::vector<Run> runs = std::move(found->second);
    g->runs.erase(found);
    for (size_t i = 0; i < runs.size(); i++) {
        runs[i].family_index = static_cast<int64_t>(id);
        runs[i].repetition_index = static_cast<int64_t>(i);
        runs[i].repetitions = static_cast<int64_t>(runs.size());
    }
    g->kept.push_back(std::move(runs));
}

void set_mean(Run &run, const char *name, double mean)
{
    if (std::isfinite(mean))
        run.counters[name] = benchmark::Counter(mean, benchmark::Counter::kAvgIterations);
}

/* A Run as Google Benchmark would have made it. */
Run restored(const gbench_item &item, const gbench_times &mean)
{
    Run run;
    run.run_name.function_name = item.name;
    run.run_name.time_type = "manual_time";
    run.report_label = printable(item.label);
    run.iterations = static_cast<benchmark::IterationCount>(item.batch);
    run.real_accumulated_time = mean.seconds * static_cast<double>(item.batch);
    run.cpu_accumulated_time = run.real_accumulated_time;
    run.per_family_instance_index = 0;
    set_mean(run, WALL, mean.wall_s);
    set_mean(run, EMPTY, mean.empty_s);
    if (item.flops > 0)
        run.counters["FLOP/s"] = benchmark::Counter(static_cast<double>(item.flops) / mean.seconds,
                                                    benchmark::Counter::kIsIterationInvariantRate);
    return run;
}

attn_status write(const gbench *g, const char *path, attn_reason *why)
{
    std::string partial = std::string(path) + ".part";
    std::ofstream file(partial);
    benchmark::JSONReporter json;
    json.SetOutputStream(&file);
    json.SetErrorStream(&file);
    if (file.is_open()) {
        json.ReportContext(BenchmarkReporter::Context());
        for (const std::vector<Run> &runs : g->kept)
            json.ReportRuns(runs);
        json.Finalize();
        file.close();
    }
    if (file.good() && std::rename(partial.c_str(), path) == 0)
        return ATTN_OK;
    attn_because(why, ATTN_ERROR, "cannot write %.150s: %s", path, std::strerror(errno));
    std::remove(partial.c_str());
    return ATTN_ERROR;
}

} // namespace

attn_status gbench_open(int flag_count, const char *const *flags, gbench **out, attn_reason *why)
{
    *out = nullptr;
    return guarded(why, [&] {
        auto g = std::make_unique<gbench>();
        attn_status status = start(g.get(), flag_count, flags, why);
        if (status == ATTN_OK)
            *out = g.release();
        return status;
    });
}

void gbench_close(gbench *g)
{
    delete g;
}

attn_status gbench_select(gbench *g, const char *const *names, size_t count, bool *selected,
                          bool *listed, attn_reason *why)
{
    attn_status status =
        guarded(why, [&] { return select(g, names, count, selected, listed, why); });
    benchmark::ClearRegisteredBenchmarks();
    return status;
}

unsigned gbench_repetitions(const gbench *g)
{
    return g->flags.repetitions;
}

attn_status gbench_run(gbench *g, const gbench_item *items, size_t count, attn_reason *why)
{
    attn_status status = guarded(why, [&] {
        Collector reporter(g, items);
        for (size_t i = 0; i < count; i++) {
            const gbench_item *item = &items[i];
            benchmark::RegisterBenchmark(item->name, [item](benchmark::State &state) {
                run_item(state, *item);
            })->UseManualTime();
        }
        benchmark::RunSpecifiedBenchmarks(&reporter, "all"); /* the filter has spoken before */
        return ATTN_OK;
    });
    benchmark::ClearRegisteredBenchmarks();
    return status;
}

attn_status gbench_keep(gbench *g, size_t id, attn_reason *why)
{
    return guarded(why, [&] {
        keep(g, id);
        return ATTN_OK;
    });
}

attn_status gbench_restore(gbench *g, const gbench_item *item, const gbench_times *means,
                           size_t count, attn_reason *why)
{
    return guarded(why, [&] {
        for (size_t i = 0; i < count; i++)
            g->runs[item->id].push_back(restored(*item, means[i]));
        return ATTN_OK;
    });
}

attn_status gbench_write(gbench *g, const char *path, attn_reason *why)
{
    return guarded(why, [&] { return write(g, path, why); });
}

const char *gbench_output(const gbench *g)
{
    return g->flags.output;
}

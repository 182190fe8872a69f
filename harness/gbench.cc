/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/gbench.h"

#include <benchmark/benchmark.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness_config.h"

using benchmark::BenchmarkReporter;
using Run = BenchmarkReporter::Run;

struct gbench {
    std::vector<std::string> args; /* Google Benchmark keeps a pointer to the first */
    std::string output;            /* the user's --benchmark_out */
    bool fixed_repetitions = false;
    std::map<size_t, std::vector<Run>> runs; /* samples of rows that are not finished */
    std::vector<std::vector<Run>> kept;
};

namespace
{

/* Takes each repetition as it is reported; aggregates are ours to make. */
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
            item.sample(item.context,
                        run.real_accumulated_time / static_cast<double>(run.iterations));
            g_->runs[item.id].push_back(run);
        }
    }

  private:
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

void run_item(benchmark::State &state, const gbench_item &item)
{
    state.SetLabel(printable(item.label).c_str());
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(item.batch))) {
        double seconds = 0;
        if (!item.run(item.context, item.batch, &seconds)) {
            state.SkipWithError("this row ended early: see run.jsonl");
            break;
        }
        state.SetIterationTime(seconds);
    }
    state.counters["FLOP/s"] = benchmark::Counter(static_cast<double>(item.flops),
                                                  benchmark::Counter::kIsIterationInvariantRate);
}

bool starts_with(const char *text, const char *prefix)
{
    return std::strncmp(text, prefix, std::strlen(prefix)) == 0;
}

/* Flags that attnmark acts on itself; false: this one cannot be honoured. */
bool take_flag(gbench *g, const std::string &flag)
{
    static const char *const out = "--benchmark_out=";
    if (starts_with(flag.c_str(), out)) {
        g->output = flag.substr(std::strlen(out));
        return !g->output.empty();
    }
    if (starts_with(flag.c_str(), "--benchmark_report_aggregates_only") ||
        starts_with(flag.c_str(), "--benchmark_display_aggregates_only"))
        return flag.find("=false") != std::string::npos;
    if (starts_with(flag.c_str(), "--benchmark_out_format="))
        return flag == "--benchmark_out_format=json";
    if (starts_with(flag.c_str(), "--benchmark_repetitions="))
        g->fixed_repetitions = true;
    g->args.push_back(flag);
    return true;
}

} // namespace

attn_status gbench_open(int flag_count, const char *const *flags, gbench **out, attn_reason *why)
{
    auto *g = new gbench;
    *out = nullptr;
    /* Stated although some are the defaults: BENCHMARK_* variables could change those, and flags
     * outlive an earlier gbench. */
    g->args = {"attnmark",
               "--benchmark_filter=",
               "--benchmark_min_time=" GBENCH_NO_MIN_TIME,
               "--benchmark_min_warmup_time=0",
               "--benchmark_enable_random_interleaving=true",
               "--benchmark_report_aggregates_only=false",
               "--benchmark_display_aggregates_only=false",
               "--benchmark_out=",
               "--benchmark_repetitions=" + std::to_string(GBENCH_REPETITIONS)};
    for (int i = 0; i < flag_count; i++) {
        if (!take_flag(g, flags[i])) {
            attn_status status = attn_because(
                why, ATTN_ERROR, "%.120s: gb.json holds every repetition, as JSON", flags[i]);
            gbench_close(g);
            return status;
        }
    }
    std::vector<char *> argv;
    for (std::string &arg : g->args)
        argv.push_back(&arg[0]);
    argv.push_back(nullptr);
    int argc = static_cast<int>(g->args.size());
    benchmark::Initialize(&argc, argv.data());
    if (argc > 1) {
        attn_status status =
            attn_because(why, ATTN_ERROR, "Google Benchmark does not know %.200s", argv[1]);
        gbench_close(g);
        return status;
    }
    static bool named = false;
    if (!named)
        benchmark::AddCustomContext("attnmark_version", ATTNMARK_VERSION);
    named = true;
    *out = g;
    return ATTN_OK;
}

void gbench_close(gbench *g)
{
    delete g;
}

attn_status gbench_select(gbench *, const char *const *names, size_t count, bool *selected,
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
    benchmark::ClearRegisteredBenchmarks();
    *listed = matched > 0 && reporter.names.empty();
    for (size_t i = 0; i < count; i++)
        selected[i] = reporter.names.count(names[i]) > 0;
    if (matched > 0)
        return ATTN_OK;
    std::string text = errors.str();
    return attn_because(why, ATTN_ERROR, "%.200s", text.substr(0, text.find('\n')).c_str());
}

bool gbench_fixed_repetitions(const gbench *g)
{
    return g->fixed_repetitions;
}

void gbench_run(gbench *g, const gbench_item *items, size_t count)
{
    Collector reporter(g, items);
    for (size_t i = 0; i < count; i++) {
        const gbench_item *item = &items[i];
        benchmark::RegisterBenchmark(item->name, [item](benchmark::State &state) {
            run_item(state, *item);
        })->UseManualTime();
    }
    benchmark::RunSpecifiedBenchmarks(&reporter, "all"); /* the filter has spoken before */
    benchmark::ClearRegisteredBenchmarks();
}

void gbench_keep(gbench *g, size_t id)
{
    auto found = g->runs.find(id);
    if (found == g->runs.end())
        return;
    std::vector<Run> runs = std::move(found->second);
    g->runs.erase(found);
    /* Several gbench_run of one row become one row. */
    for (size_t i = 0; i < runs.size(); i++) {
        runs[i].family_index = static_cast<int64_t>(id);
        runs[i].repetition_index = static_cast<int64_t>(i);
        runs[i].repetitions = static_cast<int64_t>(runs.size());
    }
    g->kept.push_back(std::move(runs));
}

attn_status gbench_write(gbench *g, const char *path, attn_reason *why)
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
    if (!file.good() || std::rename(partial.c_str(), path) != 0) {
        std::remove(partial.c_str());
        return attn_because(why, ATTN_ERROR, "cannot write %.150s: %s", path, std::strerror(errno));
    }
    return ATTN_OK;
}

const char *gbench_output(const gbench *g)
{
    return g->output.empty() ? nullptr : g->output.c_str();
}

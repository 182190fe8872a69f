// SPDX-License-Identifier: Apache-2.0
//
// Any two runs, by what is stored of them: medians and their intervals. The ratio of two medians is
// the one figure that a page computes, and its interval is the widest that theirs allow.
"use strict";

function rowsOfRun(data, index) {
  return data.rows[index].map(([kernel, workload, device, threads, median, low, high, gflops,
    earned]) => ({ kernel: data.kernels[kernel], workload, device: data.devices[device], threads,
    median_ns: median, low_ns: low, high_ns: high, gflops, earned, cpu: device === 0 }));
}

// B against A: how much longer it takes.
function pairOf(a, b) {
  const all = [a.low_ns, a.high_ns, b.low_ns, b.high_ns].every(known);
  const low = all ? b.low_ns / a.high_ns : null, high = all ? b.high_ns / a.low_ns : null;
  const verdict = !all ? "no interval" : high < 1 ? "B is faster" : low > 1 ? "B is slower"
    : "intervals overlap";
  return { a, b, workload: a.workload, ratio: b.median_ns / a.median_ns, low, high, verdict };
}

function groupBy(rows, key) {
  const groups = new Map();
  for (const row of rows) {
    const own = key(row);
    if (!groups.has(own)) groups.set(own, []);
    groups.get(own).push(row);
  }
  return groups;
}

// The same kernel on the same workload with as many threads; Vulkan devices of other names pair up
// where each run has one.
function samePairs(a, b) {
  const devices = (rows) => new Set(rows.filter((row) => !row.cpu).map((row) => row.device));
  const single = devices(a).size === 1 && devices(b).size === 1;
  const key = (row) => [row.kernel.name, row.workload, row.threads,
    row.cpu ? "cpu" : single ? "vulkan" : "vulkan " + row.device].join("|");
  const others = groupBy(b, key);
  return a.filter((row) => others.has(key(row))).map((row) => pairOf(row, others.get(key(row))[0]));
}

function quickest(rows) {
  return rows.reduce((best, row) => !best || row.median_ns < best.median_ns ? row : best, null);
}

// The best verified exact kernel of either side, whatever it is.
function bestPairs(a, b) {
  const best = (rows) => groupBy(rows.filter((row) => row.earned), (row) => row.workload);
  const others = best(b);
  return [...best(a)].filter(([workload]) => others.has(workload))
    .map(([workload, rows]) => pairOf(quickest(rows), quickest(others.get(workload))));
}

const VERDICT_CLASS = { "B is faster": "good", "B is slower": "bad" };

function sideText(row) {
  return (row.cpu ? "cpu" : row.device) +
    (known(row.threads) ? ", " + plural(row.threads, "thread") : "");
}

function kernelColumn(name, side) {
  return { name, value: (pair) => side(pair).kernel.name,
    show: (pair) => el("span.mono", null, side(pair).kernel.name) };
}

// Where both sides have one kernel, it is a column before them.
function sideColumns(name, side, same) {
  return [
    ...(same ? [] : [kernelColumn("kernel " + name, side)]),
    { name: "on " + name, class: "name", value: (pair) => sideText(side(pair)) },
    { name: "median " + name, number: true, value: (pair) => side(pair).median_ns,
      show: (pair) => time(side(pair).median_ns) },
    { name: "interval " + name, number: true, value: (pair) => side(pair).low_ns,
      show: (pair) => timeInterval(side(pair).median_ns, side(pair).low_ns, side(pair).high_ns) },
  ];
}

function pairsTable(data, pairs, same) {
  const a = (pair) => pair.a, b = (pair) => pair.b;
  return dataTable({
    caption: "Time of B over time of A",
    rows: pairs,
    columns: [
      { name: "workload", value: (pair) => pair.workload,
        show: (pair) => data.workloads[pair.workload].label },
      ...(same ? [kernelColumn("kernel", a)] : []),
      { name: "B / A", number: true, value: (pair) => pair.ratio,
        show: (pair) => ratio(pair.ratio) },
      { name: "conservative interval", number: true, value: (pair) => pair.low,
        show: (pair) => interval(pair.low, pair.high) },
      { name: "verdict", value: (pair) => pair.verdict,
        show: (pair) => el("span.verdict." + (VERDICT_CLASS[pair.verdict] || "plain"), null,
          pair.verdict) },
      ...sideColumns("A", a, same),
      ...sideColumns("B", b, same),
    ],
  }).node;
}

function runSummary(data, name, run) {
  return el("div.run", null,
    el("h3", null, el("span", null, name + ": ", machineLink(data, run.machine)),
      verdictBadge(run)),
    (run.reasons || []).length ? el("ul", null, run.reasons.map((r) => el("li", null, r))) : null,
    el("div.muted", null, dateText(run.time), " \u00b7 ", reportLink(data, run)));
}

function comparison(data, values) {
  const a = Number(values.a), b = Number(values.b);
  const same = values.what === "same";
  const pairs = (same ? samePairs : bestPairs)(rowsOfRun(data, a), rowsOfRun(data, b));
  const count = (verdict) => pairs.filter((pair) => pair.verdict === verdict).length;
  return [
    runSummary(data, "A", data.runs[a]),
    runSummary(data, "B", data.runs[b]),
    data.runs[a].seed === data.runs[b].seed ? null
      : el("p.notice", null, "Their inputs differ: the seeds are not equal."),
    pairs.length === 0 ? el("p.notice", null, "These runs have no row in common.")
      : [el("p", { id: "verdicts" }, `Of ${plural(pairs.length, "pair")}: B is faster in ` +
          `${count("B is faster")}, slower in ${count("B is slower")}; in ` +
          `${count("intervals overlap")} the intervals overlap, and nothing is said.`),
        pairsTable(data, pairs, same)],
  ];
}

function comparePage(data) {
  if (data.runs.length < 2) {
    return [el("h1", null, "Two runs"), el("p.notice", null, "There are fewer than two runs.")];
  }
  const options = data.runs.map((run) => [String(run.index),
    run.machine.name + ", " + run.time.slice(0, 10) + " " + run.time.slice(11, 16) +
    (run.result === "VALID" ? "" : ", " + run.result)]);
  return [
    el("h1", null, "Two runs"),
    el("p.lead", null, "This compares stored medians and their 95 % intervals, not samples: the " +
      "interval of a ratio is the widest that the two allow, low B / high A to high B / low A. " +
      "Where both runs are at hand, attnmark compare says more, since it allows for what the " +
      "machine did meanwhile."),
    chosen([["a", "Run A", options, "0"], ["b", "Run B", options, "1"],
      ["what", "What to compare", [["same", "the same kernel"],
        ["best", "the best exact kernel of each"]], "same"]],
    (values) => comparison(data, values)),
  ];
}

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

function sameKernel(row) {
  return [row.kernel.name, row.workload, row.threads, row.cpu ? "cpu" : "vulkan"].join("|");
}

// Of one name and driver: drivers are part of what was measured.
function sameDevice(row) {
  return sameKernel(row) + "|" + row.device.name + "|" + row.device.driver;
}

function pairsBy(a, b, key) {
  const others = groupBy(b, key);
  return a.filter((row) => others.has(key(row))).map((row) => pairOf(row, others.get(key(row))[0]));
}

// With as many threads, on the same device.
function samePairs(a, b) {
  return pairsBy(a, b, sameDevice);
}

// On the CPU, or on Vulkan devices: one of the same name where there is one, else the quickest.
function anyPairs(a, b) {
  const others = groupBy(b, sameKernel);
  return a.filter((row) => others.has(sameKernel(row))).map((row) => {
    const group = others.get(sameKernel(row));
    const named = group.filter((other) => other.device.name === row.device.name);
    return pairOf(row, quickest(named.length ? named : group));
  });
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

// What can be compared, the narrowest first.
const MATCHES = {
  same: { text: "the same kernel on the same device", pairs: samePairs },
  any: { text: "the same kernel, any driver or Vulkan device", pairs: anyPairs },
  best: { text: "the best exact kernel of each, CPU or Vulkan", pairs: bestPairs },
};

function pairsOf(data, a, b, what) {
  return MATCHES[what].pairs(rowsOfRun(data, a), rowsOfRun(data, b));
}

// The narrowest match that has a pair.
function firstMatch(data, a, b) {
  return Object.keys(MATCHES).find((what) => pairsOf(data, a, b, what).length > 0) || null;
}

// The page has no room for the rows of older runs.
function comparable(data) {
  return data.runs.filter((run) => data.rows[run.index]);
}

// Indices of the two latest runs that have a kernel and a workload in common, the older one first;
// else the two latest.
function latestPair(data) {
  const keys = new Map(comparable(data)
    .map((run) => [run.index, new Set(rowsOfRun(data, run.index).map(sameKernel))]));
  const order = [...keys.keys()]
    .sort((a, b) => compareValues(data.runs[a].time, data.runs[b].time, -1));
  for (let late = 1; late < order.length; late++) {
    for (let later = 0; later < late; later++) {
      const own = keys.get(order[later]);
      if ([...keys.get(order[late])].some((key) => own.has(key))) {
        return [order[late], order[later]];
      }
    }
  }
  return order;
}

const VERDICT_CLASS = { "B is faster": "good", "B is slower": "bad" };

function kernelColumn(name, side) {
  return { name, value: (pair) => side(pair).kernel.name,
    show: (pair) => el("span.mono", null, side(pair).kernel.name) };
}

function threadsColumn(name, side) {
  return { name, number: true, value: (pair) => side(pair).threads,
    show: (pair) => String(side(pair).threads || UNKNOWN) };
}

// The device is a column where it is not the same in all rows.
function sideColumns(name, side, pairs, same) {
  const several = new Set(pairs.map((pair) => deviceText(side(pair).device))).size > 1;
  const threaded = pairs.some((pair) => known(side(pair).threads));
  return [
    !same && kernelColumn("kernel " + name, side),
    several && deviceColumn("on " + name, (pair) => side(pair).device, () => ({})),
    !same && threaded && threadsColumn("threads " + name, side),
    { name: "median " + name, number: true, value: (pair) => side(pair).median_ns,
      show: (pair) => time(side(pair).median_ns) },
    { name: "interval " + name, number: true, value: (pair) => side(pair).low_ns,
      show: (pair) => timeInterval(side(pair).median_ns, side(pair).low_ns, side(pair).high_ns) },
  ];
}

// Where both sides have one kernel and as many threads, these come first.
function pairsTable(data, pairs, same) {
  const a = (pair) => pair.a, b = (pair) => pair.b;
  return dataTable({
    caption: "Time of B over time of A",
    rows: pairs,
    columns: [
      { name: "workload", class: "workload", value: (pair) => pair.workload,
        show: (pair) => data.workloads[pair.workload].label },
      same && kernelColumn("kernel", a),
      same && pairs.some((pair) => known(pair.a.threads)) && threadsColumn("threads", a),
      { name: "B / A", number: true, value: (pair) => pair.ratio,
        show: (pair) => ratio(pair.ratio) },
      { name: "interval", title: "the widest that the two intervals allow", number: true,
        value: (pair) => pair.low, show: (pair) => interval(pair.low, pair.high) },
      { name: "verdict", value: (pair) => pair.verdict,
        show: (pair) => el("span.verdict." + (VERDICT_CLASS[pair.verdict] || "plain"), null,
          pair.verdict) },
      ...sideColumns("A", a, pairs, same),
      ...sideColumns("B", b, pairs, same),
    ].filter(Boolean),
  }).node;
}

function runSummary(data, name, run) {
  return el("div.run", null,
    el("h3", null, el("span", null, name + ": ", machineLink(data, run.machine)),
      verdictBadge(run)),
    (run.reasons || []).length ? el("ul", null, run.reasons.map((r) => el("li", null, r))) : null,
    run.devices.map((device) => el("div", null, deviceText(device))),
    el("div.muted", null, [dateText(run.time), run.compiler].filter(Boolean).join(" \u00b7 "),
      " \u00b7 ", reportLink(data, run)));
}

// Says where there would be pairs.
function noPairs(data, a, b) {
  const other = firstMatch(data, a, b);
  return el("p.notice", null, other === null ? "These runs have no row in common."
    : `There is no such pair. There are some of \u201c${MATCHES[other].text}\u201d.`);
}

function pairsNode(data, pairs, same) {
  const count = (verdict) => pairs.filter((pair) => pair.verdict === verdict).length;
  return [el("p", { id: "verdicts" }, `Of ${plural(pairs.length, "pair")}: B is faster in ` +
      `${count("B is faster")}, slower in ${count("B is slower")}; in ` +
      `${count("intervals overlap")} the intervals overlap, and nothing is said.`),
    pairsTable(data, pairs, same)];
}

function comparison(data, { a, b, what }) {
  const pairs = pairsOf(data, Number(a), Number(b), what);
  return [
    runSummary(data, "A", data.runs[a]),
    runSummary(data, "B", data.runs[b]),
    data.runs[a].seed === data.runs[b].seed ? null
      : el("p.notice", null, "Their inputs differ: the seeds are not equal."),
    pairs.length ? pairsNode(data, pairs, what !== "best")
      : noPairs(data, Number(a), Number(b)),
  ];
}

// What tells it from the others, and the day where that does not.
function runOption(run) {
  return run.name + (run.name.endsWith(run.time) ? "" : ", " + run.time.slice(0, 10)) +
    (run.result === "VALID" ? "" : ", " + run.result);
}

function comparePage(data) {
  const runs = comparable(data), older = data.runs.length - runs.length;
  if (runs.length < 2) {
    return [el("h1", null, "Two runs"), el("p.notice", null, "There are fewer than two runs.")];
  }
  const options = runs.map((run) => [String(run.index), runOption(run)]);
  const [a, b] = latestPair(data);
  return [
    el("h1", null, "Two runs"),
    el("p.lead", null, "This compares stored medians and their 95 % intervals, not samples: the " +
      "interval of a ratio is the widest that the two allow, low B / high A to high B / low A. " +
      "Where both runs are at hand, attnmark compare says more, since it allows for what the " +
      "machine did meanwhile." + (older === 0 ? "" : ` There is no room for ${
        plural(older, "older run")}: attnmark compare takes the files.`)),
    chosen([["a", "Run A", options, String(a)], ["b", "Run B", options, String(b)],
      ["what", "What to compare",
        Object.entries(MATCHES).map(([name, match]) => [name, match.text]),
        firstMatch(data, a, b) || "same"]],
    (values) => comparison(data, values)),
  ];
}

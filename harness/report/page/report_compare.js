// SPDX-License-Identifier: Apache-2.0
//
// Runs against each other: how the machines differ, then the verdicts.
"use strict";

const VERDICTS = { FASTER: ["good", "\u25b2"], SLOWER: ["bad", "\u25bc"], SAME: ["", "="],
  UNCLEAR: ["", "?"] };

function verdictNode(verdict) {
  const [tone, sign] = VERDICTS[verdict] || ["", ""];
  return el("span.verdict" + (tone ? "." + tone : ""), null, sign + " " + verdict);
}

function pairsTable(data, pairs, first, second) {
  const rank = (pair) => ["SLOWER", "FASTER", "SAME"].indexOf(pair.verdict) + 1 || 4;
  const row = (pair) => data.rows[pair.a];
  return dataTable({
    tall: pairs.length > 30,
    caption: "Time of the second run over that of the first, with 95 % intervals",
    rows: [...pairs].sort((a, b) => rank(a) - rank(b)),
    columns: [
      { name: "workload", class: "workload", value: (p) => row(p).workload_place,
        show: (p) => row(p).workload.label },
      { name: "kernel", value: (p) => row(p).kernel.name,
        show: (p) => el("span.mono", null, row(p).kernel.name) },
      { name: "device", value: (p) => deviceText(row(p)) },
      { name: first.short, number: true, value: (p) => row(p).median_ns,
        show: (p) => time(row(p).median_ns) },
      { name: second.short, number: true, value: (p) => data.rows[p.b].median_ns,
        show: (p) => time(data.rows[p.b].median_ns) },
      { name: "ratio", number: true, value: (p) => p.ratio,
        show: (p) => withInterval(ratio(p.ratio), p.low, p.high) },
      { name: "p", number: true, value: (p) => p.p,
        show: (p) => known(p.p) ? (p.p < 0.0001 ? "< 0.0001" : p.p.toFixed(4)) : UNKNOWN },
      { name: "verdict", value: (p) => p.verdict, show: (p) => verdictNode(p.verdict) },
      { name: "why", class: "long", value: (p) => p.why, show: (p) => p.why || "" },
    ],
  }).node;
}

function differencesTable(differences) {
  return dataTable({
    sortable: false,
    caption: "How the runs differ",
    rows: differences,
    columns: [
      { name: "what", value: (d) => d[0] },
      { name: "first", class: "long", value: (d) => d[1] },
      { name: "second", class: "long", value: (d) => d[2] },
    ],
  }).node;
}

function comparisonNode(data, comparison) {
  const a = data.runs[comparison.a], b = data.runs[comparison.b];
  const head = el("h3", null, b.name + " against " + a.name);
  if (comparison.error) {
    return el("div", null, head, el("p.notice", null,
      `Not compared (A: ${a.name}; B: ${b.name}): ${comparison.error}`));
  }
  const counts = Object.keys(VERDICTS).filter((name) => comparison.counts[name])
    .map((name) => [verdictNode(name), " " + comparison.counts[name] + "\u2002"]);
  return el("div", null, head,
    comparison.warnings.map((text) => el("p.notice", null, text)),
    el("p", null, counts, known(comparison.mean_ratio)
      ? "geometric mean of the ratios " + ratio(comparison.mean_ratio) : null),
    comparison.differences.length ? differencesTable(comparison.differences) : null,
    comparison.pairs.length ? pairsTable(data, comparison.pairs, a, b) : null);
}

function compareSection(data) {
  const comparisons = data.comparisons || [];
  if (comparisons.length === 0) return null;
  return section("comparison", "Comparison",
    "The first run against each other one, row by row. FASTER and SLOWER are said of the second " +
    "run, and only where chance and load do not explain the difference.",
    comparisons.map((comparison) => comparisonNode(data, comparison)));
}

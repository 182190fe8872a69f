// SPDX-License-Identifier: Apache-2.0
//
// Bars: the share of the roof per kernel, the ladder from scalar to best, the time split of GPUs.
"use strict";

const EVERYWHERE = "all";

// The one of the most work among those with nearly as many rows as any: there a comparison says
// most.
function fullestWorkload(data, rows) {
  const count = new Map();
  for (const row of rows) count.set(row.workload_index, (count.get(row.workload_index) || 0) + 1);
  const most = Math.max(...count.values());
  const full = [...count].filter(([, n]) => n >= most * 2 / 3).map(([index]) => index);
  const flops = (index) => data.workloads[index].flops;
  return String(full.reduce((a, index) => flops(index) > flops(a) ? index : a));
}

const TIERS = [{ name: "exact", colour: 0 }, { name: "bounded", colour: 4 }];

function inTier(row, value) {
  return TIERS.map((tier) => (row.exact ? "exact" : "bounded") === tier.name ? value : null);
}

function shareBars(data, rows, everywhere) {
  const ordered = [...rows].sort((a, b) => b.share - a.share);
  const [best] = ordered;
  return barChart({
    alt: `Share of the roof of ${plural(rows.length, "kernel")}: the highest is ` +
      `${best.kernel.name} with ${shareText(best)}.`,
    label: "share of the roof that binds",
    format: (x) => tick(100 * x) + " %",
    parts: TIERS,
    marks: Math.max(...rows.map((row) => row.share)) > 0.5 ? [1] : [],
    bars: ordered.map((row) => ({
      name: row.kernel.name + (everywhere ? " \u00b7 " + placeText(data, row) : ""),
      values: inTier(row, row.share),
      low: row.high_ns > 0 ? row.share * row.median_ns / row.high_ns : null,
      high: row.low_ns > 0 ? row.share * row.median_ns / row.low_ns : null,
      text: shareText(row) + (known(row.vs_library) || row.library
        ? " \u00b7 " + libraryText(row) : ""),
      brief: percent(row.share) + (known(row.vs_library) && row.library !== row.kernel
        ? " \u00b7 " + ratio(row.vs_library) : ""),
      tip: () => rowTip(data, row),
    })),
    table: ["The numbers", () => rowsTable(data, ordered)],
  }).node;
}

function sharesSection(data) {
  const rows = data.ok.filter((row) => known(row.share));
  if (rows.length === 0) return null;
  const where = places(data, rows);
  if (where.length > 1) where.push([EVERYWHERE, "everywhere"]);
  return section("shares", "Share of the roof",
    "How much of what the machine can do each kernel reaches; beside it the rate over that of " +
    "the best library with the same threads. Whiskers are the row\u2019s own 95 % interval; an " +
    "arrow says that it goes on.",
    chosen([
      ["workload", "Workload", workloadOptions(data, rows), fullestWorkload(data, rows)],
      ["place", "Where", where],
    ], ({ workload, place }) => {
      const mine = rows.filter((row) => row.workload_index === Number(workload) &&
        (place === EVERYWHERE || placeKey(row) === place));
      return mine.length ? shareBars(data, mine, place === EVERYWHERE)
        : el("p", null, "Nothing of this workload was measured there.");
    }));
}

// The lowest rung that was measured: the scalar reference, on as few threads as it ran.
function scalarReference(rows) {
  return rows.filter((row) => row.kernel.kind === "scalar").sort((a, b) =>
    a.kernel.rung - b.kernel.rung || (a.threads || 0) - (b.threads || 0))[0] || null;
}

// One thread from rung to rung, then what more threads and each other device add.
function ladderRows(rows, reference) {
  const own = rows.filter((row) => row.kernel.kind !== "library");
  const single = own.filter((row) => row.device === "cpu" && row.threads === reference.threads)
    .sort((a, b) => a.kernel.rung - b.kernel.rung || b.median_ns - a.median_ns);
  const steps = [...single];
  const take = (some) => {
    const best = fastest(some.filter((row) => row.exact));
    if (best && !steps.includes(best)) steps.push(best);
  };
  take(own.filter((row) => row.device === "cpu" && row.threads !== reference.threads));
  for (const device of new Set(own.map((row) => row.device))) {
    if (device !== "cpu") take(own.filter((row) => row.device === device));
  }
  const library = fastest(rows.filter((row) => row.kernel.kind === "library"));
  return library ? [...steps, library] : steps;
}

function ladderBars(data, rows, reference) {
  const speed = (row) => reference.median_ns / row.median_ns;
  const steps = ladderRows(rows, reference), best = fastest(steps);
  const over = (row, i) => i && row.device === "cpu" && row.kernel.kind !== "library"
    ? ratio(speed(row) / speed(steps[i - 1])) : UNKNOWN;
  return barChart({
    alt: `Speed-up over ${reference.kernel.name} from rung to rung; the highest is ` +
      `${ratio(speed(best))} by ${best.kernel.name}.`,
    label: "speed-up over " + reference.kernel.name,
    parts: TIERS,
    bars: steps.map((row, i) => ({
      name: row.kernel.name + (row.device !== "cpu" || row.threads !== reference.threads
        ? " \u00b7 " + deviceText(row) : ""),
      values: inTier(row, speed(row)),
      low: row.high_ns > 0 ? reference.median_ns / row.high_ns : null,
      high: row.low_ns > 0 ? reference.median_ns / row.low_ns : null,
      text: ratio(speed(row)),
      tip: () => ({ title: row.kernel.name, facts: [
        ["speed-up", ratio(speed(row))], ["over the bar above", over(row, i)],
        ...(row.kernel.story ? [["idea", row.kernel.story]] : []),
        ...rowTip(data, row).facts] }),
    })),
    table: ["The numbers, and the idea of each rung", () => rowsTable(data, steps, [
      { name: "speed-up", number: true, value: speed, show: (row) => ratio(speed(row)) },
      { name: "idea", class: "long", value: (row) => row.kernel.story }])],
  }).node;
}

function ladderSection(data) {
  const climbs = new Map(); // of [run, workload]: its rows and reference
  for (const row of data.ok) {
    const key = row.run_index + "|" + row.workload_index;
    if (!climbs.has(key)) climbs.set(key, []);
    climbs.get(key).push(row);
  }
  const usable = [...climbs].map(([key, rows]) => [key, rows, scalarReference(rows)])
    .filter(([, rows, reference]) => reference && rows.length > 2);
  if (usable.length === 0) return null;
  const all = usable.flatMap(([, rows]) => rows);
  const runs = data.runs.map((run, i) => [String(i), run.name])
    .filter(([i]) => usable.some(([key]) => key.startsWith(i + "|")));
  return section("ladder", "The ladder",
    "Times as fast as the scalar reference on one thread: what each idea brings there, then what " +
    "all threads and other devices add, and the best library.",
    chosen([
      ["workload", "Workload", workloadOptions(data, all), fullestWorkload(data, all)],
      ["run", data.many ? "Run" : null, runs],
    ], ({ workload, run }) => {
      const found = usable.find(([key]) => key === run + "|" + workload);
      return found ? ladderBars(data, found[1], found[2])
        : el("p", null, "The scalar reference was not measured with this workload in this run.");
    }));
}

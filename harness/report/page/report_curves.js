// SPDX-License-Identifier: Apache-2.0
//
// How time grows with the length: measured points with intervals, the fit, the formula's slope.
"use strict";

const CURVES_FIRST = 8;

const CURVE_METRICS = {
  time: { label: "time", value: (row) => row.median_ns, format: tickTime,
    low: (row) => row.low_ns, high: (row) => row.high_ns },
  rate: { label: "GFLOP/s", value: (row) => row.gflops,
    low: (row) => row.gflops * row.median_ns / row.high_ns,
    high: (row) => row.gflops * row.median_ns / row.low_ns },
  share: { label: "share of the roof", value: (row) => row.share,
    format: (x) => tick(100 * x) + " %" },
};

function curveKey(curve) {
  return curve.rows[0].workload.group + "|" + curve.length;
}

function curveDevice(curve) {
  return curve.device + (known(curve.threads) ? ", " + plural(curve.threads, "thread") : "");
}

function curveName(data, curve) {
  return curve.kernel.name + " \u00b7 " + curveDevice(curve) +
    (data.many ? " \u00b7 " + curve.run.short : "");
}

// The speed of a curve where it is longest: what makes one the best of its kind.
function curveRank(curve) {
  const last = curve.rows[curve.rows.length - 1];
  return known(last.gflops) ? last.gflops : 1 / last.median_ns;
}

// Best exact kernels per run and device, the best library, the scalar reference; then by speed.
function interesting(curves) {
  const taken = [];
  const best = (rows) => rows.reduce((a, c) => !a || curveRank(c) > curveRank(a) ? c : a, null);
  const take = (curve) => {
    if (curve && !taken.includes(curve)) taken.push(curve);
  };
  const runs = [...new Set(curves.map((c) => c.run))];
  const isExact = (c) => c.kernel.tier === "exact" && c.kernel.kind !== "scalar";
  for (const run of runs) {
    const mine = curves.filter((c) => c.run === run);
    for (const device of new Set(mine.map((c) => c.device))) {
      take(best(mine.filter((c) => c.device === device && isExact(c))));
    }
    take(best(mine.filter((c) => c.kernel.kind === "library")));
    take(mine.filter((c) => c.kernel.kind === "scalar")
      .sort((a, b) => a.kernel.rung - b.kernel.rung || (a.threads || 0) - (b.threads || 0))[0]);
  }
  const rest = curves.filter((c) => !taken.includes(c)).sort((a, b) => curveRank(b) - curveRank(a));
  return [...taken, ...rest];
}

function fitOf(curve) {
  const { a_ns: a, b_ns: b, c_ns: c } = curve;
  return known(a) && known(b) && known(c) ? (x) => a + b * x + c * x * x : null;
}

// Colours follow the order of kernels, dashes the run, markers the device and its threads.
function curveSeries(data, curves, metric, first) {
  const kernels = [...new Set(curves.map((c) => c.kernel))];
  const devices = [...new Set(curves.map(curveDevice))];
  return curves.map((curve, i) => ({
    name: curveName(data, curve),
    colour: kernels.indexOf(curve.kernel),
    dash: data.runs.indexOf(curve.run),
    marker: devices.indexOf(curveDevice(curve)),
    open: curve.kernel.tier !== "exact",
    line: metric !== CURVE_METRICS.time || !fitOf(curve),
    shown: i < first,
    curve: metric === CURVE_METRICS.time ? fitOf(curve) : null,
    points: curve.rows.filter((row) => known(metric.value(row))).map((row) => ({
      x: row.workload[curve.length],
      y: metric.value(row),
      low: metric.low ? metric.low(row) : null,
      high: metric.high ? metric.high(row) : null,
      tip: () => rowTip(data, row),
    })).sort((p, q) => p.x - q.x),
  })).filter((series) => series.points.length);
}

// A line of the formula's slope, below the points of the first series.
function slopeGuide(curve, series) {
  if (!known(curve.slope_flops) || !series) return [];
  const first = series.points[0], last = series.points[series.points.length - 1];
  const y = last.y * 0.55;
  const text = "slope " + curve.slope_flops.toFixed(2) + ", as the FLOPs grow";
  return [{ dash: [1, 3], width: 2, name: text, counts: true,
    points: [[first.x, y * (first.x / last.x) ** curve.slope_flops], [last.x, y]] }];
}

function fitTable(data, curves) {
  const length = (x) => known(x) ? significant(x, 3) : UNKNOWN;
  return dataTable({
    caption: "t = a + b n + c n\u00b2; slope of log t over log n with its 95 % interval",
    rows: curves,
    columns: [
      data.many && { name: "run", value: (c) => data.runs.indexOf(c.run),
        show: (c) => c.run.short },
      { name: "kernel", value: (c) => c.kernel.name,
        show: (c) => el("span.mono", null, c.kernel.name) },
      { name: "device", value: curveDevice },
      { name: "a", number: true, value: (c) => c.a_ns, show: (c) => time(c.a_ns) },
      { name: "b", number: true, value: (c) => c.b_ns, show: (c) => time(c.b_ns) },
      { name: "c", number: true, value: (c) => c.c_ns, show: (c) => time(c.c_ns) },
      { name: "slope", number: true, value: (c) => c.slope,
        show: (c) => known(c.slope) ? withInterval(c.slope.toFixed(2), c.slope_low, c.slope_high,
          (x) => x.toFixed(2)) : UNKNOWN },
      { name: "FLOPs", number: true, value: (c) => c.slope_flops,
        show: (c) => known(c.slope_flops) ? c.slope_flops.toFixed(2) : UNKNOWN },
      { name: "local exponents", sort: false, value: (c) => null,
        show: (c) => (c.exponents || []).map((x) => known(x) ? x.toFixed(2) : UNKNOWN).join(" ") },
      { name: "n\u00bd", number: true, value: (c) => c.half,
        show: (c) => withInterval(length(c.half), c.half_low, c.half_high, length) },
      { name: "verdict", class: "long", value: (c) => c.verdict },
    ].filter(Boolean),
  }).node;
}

function curvesSection(data) {
  const lengths = (curve) => new Set(curve.rows.map((row) => row.workload[curve.length])).size;
  const curves = data.curves.filter((curve) => lengths(curve) > 1);
  if (curves.length === 0) return null;
  const groups = new Map();
  for (const curve of curves) {
    if (!groups.has(curveKey(curve))) groups.set(curveKey(curve), []);
    groups.get(curveKey(curve)).push(curve);
  }
  const options = [...groups].map(([key, [curve]]) =>
    [key, curve.length + " grows \u00b7 " + groupText(curve.rows[0].workload) +
      (curve.length === "m" ? " n=" + curve.rows[0].workload.n : "")]);
  return section("scaling", "Scaling",
    "Measured medians with 95 % intervals on log axes, and the fit as a dashed line.",
    chosen([
      ["group", "Workload", options],
      ["metric", "Show", Object.entries(CURVE_METRICS).map(([key, m]) => [key, m.label])],
    ], ({ group, metric: name }) => {
      const metric = CURVE_METRICS[name], list = interesting(groups.get(group));
      const series = curveSeries(data, list, metric, CURVES_FIRST);
      if (series.length === 0) return el("p", null, "No row of these has one.");
      const length = list[0].length;
      return xyChart({
        alt: `${metric.label} against ${length} of ${plural(series.length, "curve")}: ` +
          list.slice(0, 3).map((c) => curveName(data, c) + ", " + (c.verdict || "no verdict"))
            .join("; ") + ".",
        x: { label: length, log: 2, own: true },
        y: { label: metric.label, log: 10, format: metric.format },
        series,
        guides: name === "time" ? slopeGuide(list[0], series[0]) : [],
        table: ["The fits, and every point", () => el("div", null, fitTable(data, list),
          rowsTable(data, list.flatMap((c) => c.rows)))],
      }).node;
    }));
}

// SPDX-License-Identifier: Apache-2.0
//
// Devices: the best exact kernel of each against the length, where the time of a GPU's runs goes,
// and the bandwidth of decode.
"use strict";

function deviceName(data, row) {
  const name = row.device === "cpu" ? "CPU" : row.device_name || row.device;
  return shortened(name) + (row.software ? " (software)" : "") +
    (data.many ? " \u00b7 " + row.run.short : "");
}

// One series per run and device: at each length the fastest of its rows.
function bestSeries(data, rows, length, value, low, high) {
  const devices = new Map();
  for (const row of rows) {
    const key = row.run_index + "|" + row.device;
    if (!devices.has(key)) devices.set(key, []);
    devices.get(key).push(row);
  }
  return [...devices.values()].map((mine, i) => {
    const lengths = [...new Set(mine.map((row) => row.workload[length]))].sort((a, b) => a - b);
    const best = lengths.map((n) => fastest(mine.filter((row) => row.workload[length] === n)));
    return {
      name: deviceName(data, mine[0]),
      colour: i,
      marker: i,
      dash: mine[0].run_index,
      line: true,
      rows: best,
      points: best.map((row) => ({ x: row.workload[length], y: value(row), low: low(row),
        high: high(row), tip: () => rowTip(data, row) })),
    };
  });
}

function rateSeries(data, rows, length) {
  return bestSeries(data, rows, length, (row) => row.gflops,
    (row) => row.high_ns > 0 ? row.gflops * row.median_ns / row.high_ns : null,
    (row) => row.low_ns > 0 ? row.gflops * row.median_ns / row.low_ns : null);
}

// Groups of workloads as options, with the length that differs most in them.
function groupOptions(rows) {
  const groups = new Map();
  for (const row of rows) {
    if (!groups.has(row.workload.group)) groups.set(row.workload.group, row.workload);
  }
  return [...groups].map(([group, workload]) => [String(group), groupText(workload)]);
}

function lengthOf(rows) {
  const different = (name) => new Set(rows.map((row) => row.workload[name])).size;
  return different("n") >= different("m") ? "n" : "m";
}

function devicesSection(data) {
  const rows = data.ok.filter((row) => row.exact && known(row.gflops));
  const groups = groupOptions(rows).filter(([group]) => new Set(rows
    .filter((row) => row.workload.group === Number(group)).map((row) => row.device)).size > 1);
  if (groups.length === 0) return null;
  return section("devices", "CPU and Vulkan devices",
    "The fastest exact kernel of each device at each length. Software devices run on the CPU, " +
    "and say nothing about a GPU.",
    chosen([["group", "Workload", groups]], ({ group }) => {
      const mine = rows.filter((row) => row.workload.group === Number(group));
      const length = lengthOf(mine), series = rateSeries(data, mine, length);
      return xyChart({
        alt: `Rate of the fastest exact kernel against ${length}, per device: ` +
          series.map((one) => one.name + " reaches " + significant(
            Math.max(...one.points.map((p) => p.y))) + " GFLOP/s").join("; ") + ".",
        x: { label: length, log: 2, own: true },
        y: { label: "GFLOP/s", log: 10 },
        series,
        table: ["The numbers", () => rowsTable(data, series.flatMap((one) => one.rows))],
      }).node;
    }));
}

function clockColumns() {
  const column = (name, field, title) => ({ name, title, number: true, value: (row) => row[field],
    show: (row) => time(row[field]) });
  return [
    { name: "workgroup", value: (row) => row.config, show: (row) => row.config || UNKNOWN },
    { name: "dispatches", number: true, value: (row) => row.dispatches,
      show: (row) => known(row.dispatches) ? String(row.dispatches) : UNKNOWN },
    column("device", "device_ns", "by the device's timestamps"),
    column("wall", "wall_ns", "from the submission until the host knows that it is done"),
    column("less empty", "net_ns", "wall time less that of an empty submission"),
    column("empty", "empty_ns", "an empty submission"),
    column("compile", "compile_ns", "shader modules and pipelines; in none of the others"),
  ];
}

function splitSection(data) {
  const rows = data.ok.filter((row) => known(row.device_ns) && known(row.wall_ns) &&
    row.device !== "cpu");
  if (rows.length === 0) return null;
  const over = (row) => Math.max(0, row.wall_ns - row.device_ns);
  const options = workloadOptions(data, rows);
  return section("split", "Where the time goes",
    "Runs on Vulkan: time on the device by its own clock, and what submission adds to it until " +
    "the host knows that it is done. Compilation is in neither.",
    chosen([["workload", "Workload", options, fullestWorkload(data, rows)]], ({ workload }) => {
      const mine = rows.filter((row) => row.workload_index === Number(workload))
        .sort((a, b) => a.wall_ns - b.wall_ns);
      const share = (row) => over(row) / row.wall_ns;
      const most = mine.reduce((a, row) => share(row) > share(a) ? row : a);
      return [barChart({
        alt: `Time on the device and submission overhead of ${plural(mine.length, "row")}: the ` +
          `largest overhead is ${percent(share(most))}, of ${most.kernel.name}.`,
        label: "wall time",
        format: tickTime,
        parts: [{ name: "device", colour: 0 }, { name: "submission overhead", colour: 1 }],
        bars: mine.map((row) => ({
          name: row.kernel.name + " \u00b7 " + placeText(data, row),
          values: [row.device_ns, over(row)],
          text: time(row.wall_ns) + ", " + percent(share(row)) + " overhead",
          brief: time(row.wall_ns),
          tip: () => ({ title: row.kernel.name, facts: [["on", placeText(data, row)],
            ...clockColumns().map((c) => [c.name, c.show(row)])] }),
        })),
      }).node, dataTable({ columns: [...rowColumns(data).slice(0, -5), ...clockColumns()],
        rows: mine }).node];
    }));
}

function readRoofs(data, rows) {
  const guides = [];
  for (const [key, text] of places(data, rows)) {
    const row = rows.find((one) => placeKey(one) === key);
    for (const roof of roofsAt(row.run, row, "read")) {
      if (roof.level !== "memory" || !known(roof.gb_per_s)) continue;
      const [low, high] = extent(rows.map((one) => one.workload.m));
      guides.push({ counts: true, dash: [6, 3], points: [[low, roof.gb_per_s],
        [high, roof.gb_per_s]], label: "read, " + text + ": " + significant(roof.gb_per_s, 3) });
    }
  }
  return guides;
}

function decodeSection(data) {
  const rows = data.ok.filter((row) => row.workload.decode && known(row.gb_per_s));
  if (rows.length === 0) return null;
  return section("decode", "Decode bandwidth",
    "GB/s of least traffic (keys and values once) against the length m of the cache; the lines " +
    "are what reading memory measured in the same run.",
    chosen([
      ["group", "Workload", groupOptions(rows)],
      ["tier", "Kernels", [["exact", "best exact"], ["all", "best of all"]]],
    ], ({ group, tier }) => {
      const mine = rows.filter((row) => row.workload.group === Number(group) &&
        (tier === "all" || row.exact));
      if (mine.length === 0) return el("p", null, "No exact row of this workload.");
      const series = bestSeries(data, mine, "m", (row) => row.gb_per_s,
        (row) => row.high_ns > 0 ? row.gb_per_s * row.median_ns / row.high_ns : null,
        (row) => row.low_ns > 0 ? row.gb_per_s * row.median_ns / row.low_ns : null);
      return xyChart({
        alt: "Bandwidth of decode against m, per device: " + series.map((one) => one.name +
          " reaches " + significant(Math.max(...one.points.map((p) => p.y))) + " GB/s")
          .join("; ") + ".",
        x: { label: "m", log: 2, own: true },
        y: { label: "GB/s", log: 10 },
        series,
        guides: readRoofs(data, mine),
        table: ["The numbers", () => rowsTable(data, mine, [{ name: "GB/s", number: true,
          value: (row) => row.gb_per_s, show: (row) => significant(row.gb_per_s) }])],
      }).node;
    }));
}

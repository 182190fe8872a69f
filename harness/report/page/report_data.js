// SPDX-License-Identifier: Apache-2.0
//
// The island (harness/report/report.h) as objects, and the questions that all sections ask it.
"use strict";

// "2026-11-30 10:41:35" for each UTC time in the text.
function dateText(text) {
  return text.replace(/(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)Z/g, "$1 $2");
}

// Rows become objects by the names of the columns, with their run, kernel and workload in place.
function readData() {
  const data = JSON.parse(document.getElementById("data").textContent);
  data.runs.forEach((run) => { run.short = shortened(dateText(run.short), 30); });
  const places = workloadPlaces(data.workloads);
  const rows = data.rows.map((values, index) => {
    const row = { index };
    data.columns.forEach((name, i) => { row[name] = values[i]; });
    row.run_index = row.run;
    row.workload_index = row.workload;
    row.workload_place = places[row.workload];
    row.run = data.runs[row.run];
    const device = row.run.devices.find((one) => one.selector === row.device);
    row.device_name = device ? device.name : null;
    row.software = Boolean(device && device.software);
    row.kernel = data.kernels[row.kernel];
    row.workload = data.workloads[row.workload];
    row.library = known(row.library) ? data.kernels[row.library] : null;
    row.ok = row.status === "ok" && known(row.median_ns);
    row.exact = row.kernel.tier === "exact";
    return row;
  });
  const curves = data.curves.map((curve) => ({
    ...curve,
    run: data.runs[curve.run],
    kernel: data.kernels[curve.kernel],
    rows: curve.rows.map((i) => rows[i]).filter((row) => row.ok),
  }));
  return { ...data, rows, curves, ok: rows.filter((row) => row.ok), many: data.runs.length > 1 };
}

// "cpu, 2 threads", "vk0 (software)"
function deviceText(row) {
  return row.device + (row.software ? " (software)" : "") +
    (known(row.threads) ? ", " + plural(row.threads, "thread") : "");
}

// Where rows compete: one run, device and number of threads.
function placeText(data, row) {
  return deviceText(row) + (data.many ? " \u00b7 " + row.run.short : "");
}

function placeKey(row) {
  return [row.run_index, row.device, row.threads].join("|");
}

// [key, text] of each place that the rows are of; the CPU with most threads first.
function places(data, rows) {
  const found = new Map();
  for (const row of rows) {
    if (!found.has(placeKey(row))) found.set(placeKey(row), row);
  }
  const order = (row) => [row.run_index, row.device === "cpu" ? 0 : 1, -(row.threads || 0)];
  return [...found.values()]
    .sort((a, b) => order(a).map((x, i) => x - order(b)[i]).find((x) => x !== 0) || 0)
    .map((row) => [placeKey(row), placeText(data, row)]);
}

// [index, text] of the workloads that the rows are of.
function workloadOptions(data, rows) {
  return workloadChoices(data.workloads, new Set(rows.map((row) => row.workload_index)));
}

// What the workloads of a group share: "h=8 d=64 f32 causal".
function groupText(w) {
  const parts = [];
  if (w.b !== 1) parts.push("b=" + w.b);
  parts.push("h=" + w.h);
  if (w.hk !== w.h) parts.push("hk=" + w.hk);
  parts.push("d=" + w.d);
  if (w.dv !== w.d) parts.push("dv=" + w.dv);
  return parts.concat(w.dtype, w.mask).join(" ");
}

function fastest(rows) {
  return rows.reduce((best, row) => !best || row.median_ns < best.median_ns ? row : best, null);
}

function rateText(row) {
  return known(row.gflops) ? significant(row.gflops) + " GFLOP/s" : UNKNOWN;
}

function shareText(row) {
  return known(row.share) ? percent(row.share) + " " + (row.bound || "") : UNKNOWN;
}

function libraryText(row) {
  if (row.library === row.kernel) return "best library";
  if (!known(row.vs_library)) return UNKNOWN;
  return withInterval(ratio(row.vs_library) + (row.library ? " " + row.library.name : ""),
    row.vs_low, row.vs_high);
}

// What hovering over a row's point shows.
function rowTip(data, row) {
  const facts = [["on", placeText(data, row)]];
  facts.push(row.workload.n === row.workload.m ? ["n", String(row.workload.n)]
    : ["n, m", row.workload.n + ", " + row.workload.m]);
  facts.push(["median", time(row.median_ns)],
    ["95 % interval", timeInterval(row.median_ns, row.low_ns, row.high_ns)],
    ["rate", rateText(row)]);
  if (known(row.share)) facts.push(["of roof", shareText(row)]);
  if (known(row.vs_library) && row.library !== row.kernel) {
    facts.push(["vs library", libraryText(row)]);
  }
  facts.push(["samples", String(row.samples)]);
  return { title: row.kernel.name, facts };
}

// The columns that tables of rows begin with.
function rowColumns(data) {
  return [
    data.many && { name: "run", value: (row) => row.run_index,
      show: (row) => el("span", { title: row.run.name }, row.run.short) },
    { name: "workload", class: "workload", value: (row) => row.workload_place,
      show: (row) => row.workload.label },
    { name: "kernel", value: (row) => row.kernel.name,
      show: (row) => el("span.mono", { title: row.kernel.story || null }, row.kernel.name) },
    { name: "device", value: (row) => row.device,
      show: (row) => el("span", { title: row.device_name || null },
        row.device + (row.software ? " (software)" : "")) },
    { name: "threads", number: true, value: (row) => row.threads,
      show: (row) => known(row.threads) ? String(row.threads) : UNKNOWN },
    { name: "median", number: true, value: (row) => row.median_ns,
      show: (row) => time(row.median_ns) },
    { name: "95 % interval", number: true, value: (row) => row.low_ns,
      show: (row) => timeInterval(row.median_ns, row.low_ns, row.high_ns) },
    { name: "GFLOP/s", number: true, value: (row) => row.gflops,
      show: (row) => significant(row.gflops) },
    { name: "of roof", number: true, value: (row) => row.share, show: shareText },
    { name: "vs library", value: (row) => row.vs_library, show: libraryText },
  ].filter(Boolean);
}

function rowsTable(data, rows, more = []) {
  return dataTable({ columns: [...rowColumns(data), ...more], rows }).node;
}

// SPDX-License-Identifier: Apache-2.0
//
// The page of one machine: its runs, how its rates went on, what it is.
"use strict";

const DAY_S = 86400;

function secondsOf(run) {
  return Date.parse(run.time) / 1000;
}

function isoText(seconds) {
  return new Date(seconds * 1000).toISOString();
}

// Ticks are short enough for a phone: days of one year, or months of several.
function dayAxis(first, last) {
  const air = Math.max(8 * DAY_S, 0.06 * (last - first)), range = [first - air, last + air];
  const year = isoText(range[0]).slice(0, 4), one = year === isoText(range[1]).slice(0, 4);
  return {
    label: one ? `month and day of the run in ${year}` : "month of the run",
    log: 0,
    range,
    format: (seconds) => one ? isoText(seconds).slice(5, 10) : isoText(seconds).slice(0, 7),
  };
}

// The slower end of the time is the lower end of the rate.
function historyPoint(data, point) {
  const run = data.runs[point.run];
  const rate = (ns) => known(ns) ? point.gflops * point.median_ns / ns : null;
  return {
    x: secondsOf(run),
    y: point.gflops,
    low: rate(point.high_ns),
    high: rate(point.low_ns),
    tip: () => ({
      title: dateText(run.time),
      facts: [["rate", significant(point.gflops) + " GFLOP/s"], ["median", time(point.median_ns)],
        ["95 % interval", timeInterval(point.median_ns, point.low_ns, point.high_ns)],
        ["run", run.result]],
    }),
  };
}

function historyTable(data, series) {
  return dataTable({
    caption: "History",
    rows: series.flatMap((one) => one.points.map((point) => ({ one, point }))),
    columns: [
      { name: "kernel", value: (row) => row.one.kernel,
        show: (row) => el("span.mono", null, row.one.kernel) },
      { name: "time", value: (row) => data.runs[row.point.run].time,
        show: (row) => dateText(data.runs[row.point.run].time) },
      { name: "run", value: (row) => data.runs[row.point.run].result,
        show: (row) => verdictBadge(data.runs[row.point.run]) },
      { name: "GFLOP/s", number: true, value: (row) => row.point.gflops,
        show: (row) => significant(row.point.gflops) },
      { name: "median", number: true, value: (row) => row.point.median_ns,
        show: (row) => time(row.point.median_ns) },
      { name: "95 % interval", number: true, value: (row) => row.point.low_ns,
        show: (row) => timeInterval(row.point.median_ns, row.point.low_ns, row.point.high_ns) },
    ],
  }).node;
}

function latestRate(one) {
  return one.points[one.points.length - 1].gflops || 0;
}

// The fastest kernels are shown at once, the others by the legend.
function historyChart(data, values) {
  const mine = data.series
    .filter((one) => one.workload === Number(values.workload) &&
      galleryDevice(one) === values.device && one.points.some((point) => known(point.gflops)))
    .sort((a, b) => latestRate(b) - latestRate(a));
  if (mine.length === 0) return el("p.notice", null, "No run has this workload on this device.");
  const times = data.runs.map(secondsOf);
  return xyChart({
    alt: "GFLOP/s of each kernel over the time of the runs, with 95 % intervals.",
    table: ["Table of this chart", () => historyTable(data, mine)],
    x: dayAxis(Math.min(...times), Math.max(...times)),
    y: { label: "GFLOP/s", log: 0, fromZero: true },
    series: mine.map((one, i) => ({
      name: one.kernel,
      colour: i,
      marker: i,
      line: true,
      open: !one.exact,
      shown: i < 5,
      points: one.points.filter((point) => known(point.gflops))
        .map((point) => historyPoint(data, point)),
    })),
  }).node;
}

function historySection(data) {
  const options = workloadChoices(data, new Set(data.series.map((one) => one.workload)));
  const devices = [...new Set(data.series.map(galleryDevice))].map((text) => [text, text]);
  if (options.length === 0) return null;
  return section("history", "History",
    "Rates of all runs of this machine; those of INVALID runs are among them, and say so. " +
    "Open markers are bounded kernels, as libraries are.",
    chosen([["workload", "Workload", options], ["device", "Device", devices]],
      (values) => historyChart(data, values)));
}

function machineFacts(data, machine) {
  return section("facts", "Machine", "As its latest run found it.",
    el("div.columns", null,
      el("div", null, el("h3", null, "Machine"), factsTable(machine.facts)),
      el("div", null, el("h3", null, "Build"), factsTable(machine.build)),
      machine.devices.map((device) => el("div", null,
        el("h3", null, (device.name || device.selector) + (device.software ? " (software)" : "")),
        device.driver ? el("p.muted", null, device.driver) : null, factsTable(device.facts)))));
}

function machinePage(data) {
  const machine = data.machines[data.machine];
  return [
    el("h1", null, machine.name),
    el("p.lead", null, [machine.gpu, plural(machine.runs, "run") + ", " + machine.valid + " VALID"]
      .filter(Boolean).join(" \u00b7 ")),
    section("runs", "Runs", null, runsTable(data, data.runs, false)),
    historySection(data),
    machineFacts(data, machine),
  ];
}

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

// Seconds between ticks, by how much they say: hours and minutes, days, months.
const MINUTE_S = 60, HOUR_S = 3600;
const CLOCK_STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 180, 360, 720].map((m) => m * MINUTE_S);
const DAY_STEPS = [1, 2, 4, 7, 14, 28, 56, 112, 224].map((d) => d * DAY_S);
const MONTH_STEPS = [61, 122, 183, 365, 730, 1461].map((d) => d * DAY_S);

// The first step that makes no more ticks than there is room for.
function timeTicks(steps, [low, high], most) {
  const step = steps.find((s) => (high - low) / s <= most) || steps[steps.length - 1];
  const ticks = [], end = high - (high - low) / 64; // the text of one at the end would be cut off
  for (let t = Math.ceil(low / step) * step; t <= end; t += step) ticks.push(t);
  return ticks;
}

// "2026", "2026 to 2027"
function fromTo(texts) {
  return texts[0] === texts[1] ? texts[0] : texts.join(" to ");
}

// As long as the runs took to come together. Ticks are short enough for a phone: times of a day or
// two, days of a year, months of several.
function timeAxis(first, last) {
  const air = last > first ? Math.max(MINUTE_S, 0.06 * (last - first)) : HOUR_S / 2;
  const range = [first - air, last + air], texts = [first, last].map(isoText);
  const made = (label, steps, format) =>
    ({ label, log: 0, range, format, ticks: (...of) => timeTicks(steps, ...of) });
  if (last - first < 2 * DAY_S) {
    return made("time of the run, UTC, " + fromTo(texts.map((t) => t.slice(0, 10))), CLOCK_STEPS,
      (s) => s % DAY_S === 0 ? isoText(s).slice(5, 10) : isoText(s).slice(11, 16));
  }
  if (last - first < 366 * DAY_S) {
    return made("month and day of the run, " + fromTo(texts.map((t) => t.slice(0, 4))), DAY_STEPS,
      (s) => isoText(s).slice(5, 10));
  }
  return made("month of the run", MONTH_STEPS, (s) => isoText(s).slice(0, 7));
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
        ["compiler", run.compiler || UNKNOWN], ["run", run.result]],
    }),
  };
}

function historyTable(data, series) {
  return dataTable({
    label: "History",
    rows: series.flatMap((one) => one.points.map((point) => ({ one, point }))),
    columns: [
      { name: "kernel", value: (row) => row.one.kernel,
        show: (row) => el("span.mono", null, row.one.kernel) },
      { name: "compiler", value: (row) => row.one.compiler || UNKNOWN },
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

function historyDevice(one) {
  return deviceText(deviceOf(one)) + threadsText(one);
}

function latestRate(one) {
  return one.points[one.points.length - 1].gflops || 0;
}

// The fastest kernels are shown at once, the others by the legend. Lines join runs of one compiler:
// another one makes another program.
function historyChart(data, values) {
  const mine = data.series
    .filter((one) => one.workload === Number(values.workload) &&
      historyDevice(one) === values.device && one.points.some((point) => known(point.gflops)))
    .sort((a, b) => latestRate(b) - latestRate(a));
  if (mine.length === 0) return el("p.notice", null, "No run has this workload on this device.");
  const times = data.runs.slice(data.history_from).map(secondsOf);
  const listed = (name) => [...new Set(mine.map((one) => one[name]))];
  const kernels = listed("kernel"), compilers = listed("compiler");
  return xyChart({
    alt: "GFLOP/s of each kernel over the time of the runs, with 95 % intervals.",
    table: ["Table of this chart", () => historyTable(data, mine)],
    x: timeAxis(Math.min(...times), Math.max(...times)),
    y: { label: "GFLOP/s", log: 0, fromZero: true },
    series: mine.map((one, i) => ({
      name: one.kernel + (compilers.length > 1 ? " \u00b7 " + (one.compiler || UNKNOWN) : ""),
      colour: kernels.indexOf(one.kernel),
      marker: kernels.indexOf(one.kernel),
      dash: compilers.indexOf(one.compiler),
      line: true,
      open: !one.exact,
      shown: kernels.indexOf(one.kernel) < 5,
      points: one.points.filter((point) => known(point.gflops))
        .map((point) => historyPoint(data, point)),
    })),
  }).node;
}

function historySection(data) {
  const options = workloadChoices(data.workloads,
    new Set(data.series.map((one) => one.workload)));
  const devices = [...new Set(data.series.map(historyDevice))].map((text) => [text, text]);
  if (options.length === 0) return null;
  const longest = data.series.reduce((a, one) => one.points.length > a.points.length ? one : a);
  return section("history", "History",
    "Rates of all runs of this machine; those of INVALID runs are among them, and say so. " +
    "Open markers are bounded kernels, as libraries are; lines join runs of one compiler." +
    (data.history_from === 0 ? ""
      : ` There is no room for the first ${plural(data.history_from, "run")}.`),
    chosen([["workload", "Workload", options, String(longest.workload)],
      ["device", "Device", devices, historyDevice(longest)]],
    (values) => historyChart(data, values)));
}

function machineFacts(data, machine) {
  return section("facts", "Machine", "As its latest run found it.",
    el("div.columns", null,
      el("div", null, el("h3", null, "Machine"), factsTable(machine.facts)),
      el("div", null, el("h3", null, "Build"), factsTable(machine.build)),
      machine.hardware.filter((one) => one.selector !== "cpu").map((device) => el("div", null,
        el("h3", null, (device.name || device.selector) + (device.software ? " (software)" : "")),
        device.driver ? el("p.muted", null, device.driver) : null, factsTable(device.facts)))));
}

function machinePage(data) {
  const machine = data.machines[data.machine];
  return [
    el("h1", null, machine.name),
    el("p.lead", null, plural(machine.runs, "run") + ", " + machine.valid + " VALID"),
    machine.devices.length ? el("ul.devices", { "aria-label": "Devices that were measured" },
      machine.devices.map((device) => el("li", null, deviceText(device)))) : null,
    section("runs", "Runs", null, runsTable(data, data.runs, false)),
    historySection(data),
    machineFacts(data, machine),
  ];
}

// SPDX-License-Identifier: Apache-2.0
//
// The island (harness/report/gallery.h), and what the pages of a gallery share.
"use strict";

function readGallery() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const runs = data.runs.map((run, index) =>
    ({ ...run, index, machine: data.machines[run.machine] }));
  return { ...data, runs };
}

function dateText(time) {
  return String(time).replace("T", " ").replace("Z", " UTC");
}

function verdictBadge(run) {
  const good = run.result === "VALID";
  return el("span.badge." + (good ? "good" : "bad"),
    { title: (run.reasons || []).join("; ") || null },
    (good ? "\u2713 " : "\u2717 ") + run.result);
}

function machineLink(data, machine) {
  return el("a", { href: data.root + "machines/" + machine.slug + ".html" }, machine.name);
}

function reportLink(data, run, text) {
  if (!run.report) return el("span.muted", { title: run.report_fault }, "none");
  return el("a", { href: data.root + run.report }, text || "report");
}

// "CPU", "llvmpipe (software)": of a device of the island.
function deviceName(device) {
  return device.name === "cpu" ? "CPU"
    : (device.name || "unnamed device") + (device.software ? " (software)" : "");
}

function deviceText(device) {
  return deviceName(device) + (device.driver ? ", driver: " + device.driver : "");
}

// Its driver below its name: two of one name are told apart by that.
function deviceNode(device, more) {
  return [deviceName(device) + (more || ""),
    device.driver ? el("div.muted.driver", null, device.driver) : null];
}

// The device of a row as one of the island.
function deviceOf(row) {
  const name = row.device === "cpu" ? "cpu" : row.device_name || row.device;
  return { name, driver: row.driver, software: row.software };
}

// ", 2 threads"
function threadsText(row) {
  return known(row.threads) ? ", " + plural(row.threads, "thread") : "";
}

function deviceColumn(name, device, row) {
  return { name, class: "name",
    value: (one) => deviceText(device(one)) + threadsText(row(one)),
    show: (one) => deviceNode(device(one), threadsText(row(one))) };
}

function digestText(digest) {
  return digest ? el("span.mono", { title: digest }, digest.slice(0, 10)) : UNKNOWN;
}

// The machine is a column where they are of several.
function runsTable(data, runs, machines) {
  const reasons = runs.some((run) => (run.reasons || []).length);
  return dataTable({
    label: "Runs",
    rows: runs,
    columns: [
      { name: "time", value: (run) => run.time, show: (run) => dateText(run.time) },
      machines && { name: "machine", class: "name", value: (run) => run.machine.name,
        show: (run) => machineLink(data, run.machine) },
      { name: "result", value: (run) => run.result, show: verdictBadge },
      { name: "measured on", class: "long", value: (run) => run.devices.map(deviceText).join("; "),
        show: (run) => run.devices.map((device) => el("div", null, deviceNode(device))) },
      { name: "compiler", value: (run) => run.compiler || UNKNOWN },
      reasons && { name: "why", class: "long", value: (run) => (run.reasons || []).join("; ") },
      { name: "rows", number: true, value: (run) => run.rows, show: (run) => String(run.rows) },
      { name: "with a time", number: true, value: (run) => run.ok, show: (run) => String(run.ok) },
      { name: "took", number: true, value: (run) => run.elapsed_s,
        show: (run) => known(run.elapsed_s) ? significant(run.elapsed_s) + " s" : UNKNOWN },
      { name: "page", sort: false, show: (run) => reportLink(data, run) },
      { name: "file", value: (run) => run.file, show: (run) =>
        el("span.mono", { title: run.file }, run.file.split("/").pop()) },
    ].filter(Boolean),
  }).node;
}

// SPDX-License-Identifier: Apache-2.0
//
// What each run was made on and with, and what made its numbers unreliable.
"use strict";

function doctorTable(run) {
  const serious = ["fatal", "warning"];
  const rank = (fact) => (serious.indexOf(fact.severity) + 3) % 3;
  return dataTable({
    sortable: false,
    caption: "What attnmark doctor found, but for what is fine",
    rows: [...run.doctor].sort((a, b) => serious.includes(b.severity) - serious.includes(a.severity)
      || rank(a) - rank(b)),
    columns: [
      { name: "severity", value: (f) => f.severity, show: (f) => el("span.verdict" +
        (serious.includes(f.severity) ? ".bad" : ""), null, f.severity) },
      { name: "fact", value: (f) => f.id },
      { name: "found", class: "long", value: (f) => f.found },
      { name: "what to do", class: "long", value: (f) => f.advice || "" },
    ],
  }).node;
}

function driftTable(run) {
  return dataTable({
    sortable: false,
    caption: "Drift of the roofs that were sampled through the run",
    rows: run.drift,
    columns: [
      { name: "reference", value: (d) => d.reference,
        show: (d) => el("span.mono", null, d.reference) },
      { name: "device", value: (d) => d.device },
      { name: "threads", number: true, value: (d) => d.threads,
        show: (d) => known(d.threads) ? String(d.threads) : UNKNOWN },
      { name: "change", number: true, value: (d) => d.change, show: (d) => change(d.change) },
      { name: "95 % interval", number: true, value: (d) => d.change_low,
        show: (d) => interval(d.change_low, d.change_high, change) },
      { name: "90 % of the samples within", number: true, value: (d) => d.spread,
        show: (d) => percent(d.spread) },
    ],
  }).node;
}

function factsOf(title, pairs) {
  return pairs && pairs.length ? el("div", null, el("h3", null, title), factsTable(pairs)) : null;
}

function deviceFacts(device) {
  const facts = [["name", device.name], ["driver", device.driver],
    ...(device.facts || [])].filter(([, text]) => text);
  return factsOf(device.selector + (device.software ? " (software)" : ""), facts);
}

function runFacts(data, run, index) {
  const body = () => [
    el("div.columns", null, factsOf("Machine", run.machine), factsOf("Build", run.build),
      run.devices.filter((device) => device.selector !== "cpu").map(deviceFacts),
      factsOf("Environment", run.environment)),
    run.doctor.length ? doctorTable(run) : null,
    run.drift.length ? driftTable(run) : null,
    run.roofs.length ? behind("Roofs", () => roofsTable(run)) : null,
    el("h3", null, "Command"), el("p.mono", null, run.command),
    el("p.muted", null, "File: " + run.file),
  ];
  if (!data.many) return body();
  return el("details", { open: index === 0 }, el("summary", null, run.name), body());
}

function factsSection(data) {
  return section("facts", "Machine and build", null,
    data.runs.map((run, index) => runFacts(data, run, index)));
}

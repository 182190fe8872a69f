// SPDX-License-Identifier: Apache-2.0
//
// The first page: leaderboards, what stands apart, one hash, machines, runs, faults.
"use strict";

function leaderColumns(data, more) {
  return [
    { name: "machine", class: "name", value: (row) => data.machines[row.machine].name,
      show: (row) => machineLink(data, data.machines[row.machine]) },
    deviceColumn("device", deviceOf, (row) => row),
    { name: "kernel", value: (row) => row.kernel,
      show: (row) => el("span.mono", null, row.kernel) },
    ...more,
    { name: "GFLOP/s", number: true, value: (row) => row.gflops,
      show: (row) => significant(row.gflops) },
    { name: "GB/s", number: true, value: (row) => row.gb_per_s,
      show: (row) => significant(row.gb_per_s) },
    { name: "of roof", number: true, value: (row) => row.share,
      show: (row) => known(row.share) ? percent(row.share) + " " + row.bound : UNKNOWN },
    { name: "median", number: true, value: (row) => row.median_ns,
      show: (row) => time(row.median_ns) },
    { name: "95 % interval", number: true, value: (row) => row.low_ns,
      show: (row) => timeInterval(row.median_ns, row.low_ns, row.high_ns) },
    { name: "digest", value: (row) => row.digest,
      show: (row) => [row.contract + " ", digestText(row.digest)] },
    { name: "run", value: (row) => data.runs[row.run].time,
      show: (row) => reportLink(data, data.runs[row.run], data.runs[row.run].time.slice(0, 10)) },
  ];
}

function boardTable(data, rows, caption, more = []) {
  const columns = leaderColumns(data, more);
  const sorted = [...rows].sort((a, b) => compareValues(a.median_ns, b.median_ns, 1));
  return dataTable({ caption, columns, rows: sorted }).node;
}

function apartText(data, row) {
  const run = data.runs[row.run];
  return [row.why, run.result === "VALID" ? null : run.reasons.join("; ")]
    .filter(Boolean).join(": ");
}

// Of one workload: those that earned their place, and below them those that did not, with why.
function board(data, index) {
  const mine = (row) => row.workload === Number(index);
  const leaders = data.leaders.filter(mine), apart = data.apart.filter(mine);
  const why = { name: "why apart", class: "long", value: (row) => apartText(data, row) };
  return [
    leaders.length ? boardTable(data, leaders, "Verified rows of VALID runs, fastest first")
      : el("p.notice", null, "No VALID run has this workload yet."),
    apart.length ? [el("h3", null, "Apart"),
      boardTable(data, apart, "In no leaderboard, and why", [why])] : null,
  ];
}

function leaderSection(data) {
  const used = new Set([...data.leaders, ...data.apart].map((row) => row.workload));
  const options = workloadChoices(data.workloads, used);
  if (options.length === 0) return null;
  const most = options.map(([i]) =>
    data.leaders.filter((row) => row.workload === Number(i)).length);
  const first = options[most.indexOf(Math.max(...most))][0];
  return section("leaders", "Leaderboard",
    "The fastest exact kernel of every machine, device and driver: its output has the same bits " +
    "as the scalar reference. A row without an interval, or of a run that is not VALID, stands " +
    "apart.",
    chosen([["workload", "Workload", options, first]],
      (values) => board(data, values.workload)));
}

function hashVerdict(hash) {
  const one = hash.digests.length === 1;
  const right = hash.golden === null || hash.digests.every((d) => d.digest === hash.golden);
  return el("span.verdict." + (one && right ? "good" : "bad"), null,
    !one ? "\u2717 they differ" : !right ? "\u2717 not the golden one"
      : hash.golden === null ? "\u2713 one" : "\u2713 one, golden");
}

function hashSection(data) {
  if (data.hashes.length === 0) return null;
  const machines = (hash) => new Set(hash.digests.flatMap((d) => d.machines)).size;
  const rows = (hash) => hash.digests.reduce((sum, d) => sum + d.rows, 0);
  const one = data.hashes.filter((hash) => hash.digests.length === 1).length;
  const places = workloadPlaces(data.workloads);
  return section("hashes", "One hash",
    `All exact kernels of a contract must give the same bits on all hardware: ${one} of ` +
    `${plural(data.hashes.length, "pair")} of contract and workload have one digest. Golden ` +
    "ones equal those that the project publishes.",
    dataTable({
      label: "Digests",
      rows: [...data.hashes].sort((a, b) => places[a.workload] - places[b.workload]),
      columns: [
        { name: "workload", class: "workload", value: (hash) => places[hash.workload],
          show: (hash) => data.workloads[hash.workload].label },
        { name: "contract", value: (hash) => hash.contract },
        { name: "verdict", value: (hash) => hash.digests.length, show: hashVerdict },
        { name: "digest", value: (hash) => hash.digests[0].digest,
          show: (hash) => hash.digests.map((d) => el("div.mono", null, d.digest +
            (hash.digests.length > 1 ? " " + d.machines.map((i) => data.machines[i].name)
              .join(", ") : ""))) },
        { name: "seed", number: true, value: (hash) => hash.seed,
          show: (hash) => String(hash.seed) },
        { name: "machines", number: true, value: machines,
          show: (hash) => String(machines(hash)) },
        { name: "rows", number: true, value: rows, show: (hash) => String(rows(hash)) },
      ],
    }).node);
}

function machinesSection(data) {
  return section("machines", "Machines", null, dataTable({
    label: "Machines",
    rows: data.machines,
    columns: [
      { name: "machine", class: "name", value: (machine) => machine.name,
        show: (machine) => machineLink(data, machine) },
      { name: "devices", class: "long", value: (machine) => machine.devices.map(deviceText)
        .join("; "), show: (machine) => machine.devices.map((device) => el("div", null,
        deviceText(device))) },
      { name: "runs", number: true, value: (machine) => machine.runs,
        show: (machine) => String(machine.runs) },
      { name: "VALID", number: true, value: (machine) => machine.valid,
        show: (machine) => String(machine.valid) },
      { name: "latest", value: (machine) => machine.latest,
        show: (machine) => dateText(machine.latest) },
    ],
  }).node);
}

function faultsSection(data) {
  if (data.faults.length === 0) return null;
  return section("faults", "Left out", "Files of the collection that are in no table.", dataTable({
    label: "Left out",
    rows: data.faults,
    columns: [
      { name: "file", class: "long", value: (fault) => fault.file,
        show: (fault) => el("span.mono", null, fault.file) },
      { name: "why", class: "long", value: (fault) => fault.fault },
    ],
  }).node);
}

function indexPage(data) {
  return [
    el("h1", null, "Results"),
    el("p.lead", null, plural(data.runs.length, "run") + " of " +
      plural(data.machines.length, "machine") + ", each checked against the golden digests. " +
      "Every rate was earned: the output was verified before it was timed."),
    leaderSection(data),
    hashSection(data),
    machinesSection(data),
    data.runs.length ? section("runs", "Runs", null, runsTable(data, data.runs, true)) : null,
    faultsSection(data),
  ];
}

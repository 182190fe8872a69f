// SPDX-License-Identifier: Apache-2.0
//
// Every row, also those that could not run, and how to run each again.
"use strict";

// What makes this row again, for a shell: variables chose drivers and sizes.
function reproduceCommand(row) {
  const words = ["attnmark", "bench", "--device", row.device, "--kernel", row.kernel.name,
    "--workload", row.workload.text];
  if (known(row.threads)) words.push("--threads", row.threads);
  if (known(row.run.seed)) words.push("--seed", row.run.seed);
  const variables = row.run.environment.map(([name, value]) => name + "=" + quoted(value));
  return [...variables, ...words.map(quoted)].join(" ");
}

function copyButton(row, said) {
  const command = reproduceCommand(row);
  const button = el("button", {
    type: "button",
    title: command,
    "aria-label": "Copy the command of " + row.kernel.name + ", " + row.workload.label,
    async click() {
      const copied = await copyText(command);
      button.textContent = copied ? "copied" : "copy";
      add(clear(said), copied ? "Copied: " : "Copy this: ", el("code", null, command));
      if (copied) setTimeout(() => { button.textContent = "copy"; }, 2000);
    },
  }, "copy");
  return button;
}

function noteText(row) {
  if (row.status !== "ok") return row.status + ": " + (row.reason || "no reason given");
  const notes = [];
  if (row.config) notes.push(row.config);
  if (known(row.energy_j)) notes.push(significant(row.energy_j) + " J");
  if (row.stopped_by && row.stopped_by !== "precision") notes.push("stopped by " + row.stopped_by);
  return notes.join("; ");
}

function everyColumn(data, said) {
  return [
    ...rowColumns(data),
    { name: "tier", value: (row) => row.kernel.tier, show: (row) => row.kernel.tier || UNKNOWN },
    { name: "check", value: (row) => row.verified, show: (row) => row.verified || UNKNOWN },
    { name: "digest", value: (row) => row.digest, show: (row) => row.digest
      ? el("span.mono", { title: row.digest }, row.digest.slice(0, 10)) : UNKNOWN },
    { name: "samples", number: true, value: (row) => row.samples,
      show: (row) => known(row.samples) && row.samples ? String(row.samples) : UNKNOWN },
    { name: "outliers", number: true, value: (row) => row.outliers,
      show: (row) => known(row.outliers) && row.ok ? String(row.outliers) : UNKNOWN },
    { name: "reproduce", class: "action", sort: false, value: () => null,
      show: (row) => copyButton(row, said) },
    { name: "note", class: "long", value: noteText },
  ];
}

// What the text filter looks through, in lower case, made when it is first asked for.
function searchText(row) {
  row.search ??= [row.run.name, row.kernel.name, row.kernel.tier, row.workload.text,
    row.workload.label, row.device, row.device_name, row.status, row.reason, row.verified,
    row.digest, row.config]
    .filter(Boolean).join("\n").toLowerCase();
  return row.search;
}

function counted(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) || 0) + 1);
  return [["", "all (" + values.length + ")"],
    ...[...counts].map(([value, count]) => [value, value + " (" + count + ")"])];
}

function rowsSection(data) {
  const rows = [...data.rows].sort((a, b) => b.ok - a.ok || a.index - b.index);
  const said = el("p", { "aria-live": "polite" }), shown = el("span.muted", { role: "status" });
  const table = dataTable({ columns: everyColumn(data, said), rows, tall: true,
    caption: "Rows that ran first; headings sort" });
  const wanted = { text: [], status: "", device: "", tier: "" };
  const filter = () => {
    const chosenRows = rows.filter((row) =>
      (!wanted.status || row.status === wanted.status) &&
      (!wanted.device || row.device === wanted.device) &&
      (!wanted.tier || row.kernel.tier === wanted.tier) &&
      wanted.text.every((word) => searchText(row).includes(word)));
    table.show(chosenRows);
    shown.textContent = chosenRows.length + " of " + plural(rows.length, "row");
  };
  const pick = (name, label, value) => choice(label, counted(rows.map(value).filter(Boolean)), "",
    (now) => {
      wanted[name] = now;
      filter();
    });
  const input = el("input", {
    type: "search",
    placeholder: "kernel, n=2048, digest \u2026",
    input() {
      wanted.text = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      filter();
    },
  });
  shown.textContent = plural(rows.length, "row");
  return section("rows", "Every row",
    "Also those that could not run, with the reason. The button copies the command that measures " +
    "a row again.",
    el("div.controls", null, el("label", null, "Search", input),
      pick("status", "Status", (row) => row.status), pick("device", "Device", (row) => row.device),
      pick("tier", "Tier", (row) => row.kernel.tier), shown),
    said, table.node);
}

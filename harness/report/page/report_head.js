// SPDX-License-Identifier: Apache-2.0
//
// The top of the page: what was measured on what, whether to believe it, and the best of it.
"use strict";

function resultBadge(run) {
  if (run.result === "VALID") return el("span.badge.good", null, "\u2713 VALID");
  return el("span.badge.bad", null,
    run.result === null ? "\u2717 did not end" : "\u2717 " + run.result);
}

function runCard(data, run, index) {
  const rows = data.rows.filter((row) => row.run_index === index);
  const count = (status) => rows.filter((row) => row.status === status).length;
  const failed = count("failed");
  return el("div.run", null,
    el("h3", null, el("span", null, dateText(run.name)), resultBadge(run)),
    (run.reasons || []).length ? el("ul", null, run.reasons.map((r) => el("li", null, r))) : null,
    el("div.muted", null, [run.time && dateText(run.time) + " UTC",
      known(run.elapsed_s) ? significant(run.elapsed_s) + " s" : null,
      count("ok") + " of " + plural(rows.length, "row") + " measured",
      failed ? failed + " FAILED verification" : null].filter(Boolean).join(" \u00b7 ")),
    el("div.muted.mono", null, run.command));
}

function tile(label, figure, unit, note) {
  return el("div.tile", null, el("div.label", null, label),
    el("div.figure", null, figure, unit ? [" ", el("small", null, unit)] : null),
    el("div.note", null, note));
}

// The exact row of the highest rate on the CPU or off it.
function bestTile(data, label, rows) {
  const best = rows.reduce((a, row) => !a || row.gflops > a.gflops ? row : a, null);
  if (!best) return null;
  const notes = [best.kernel.name, placeText(data, best), best.workload.label];
  if (known(best.share)) notes.push(shareText(best) + " roof");
  if (known(best.vs_library)) notes.push(libraryText(best));
  if (best.run.result !== "VALID") {
    notes.push(best.run.result === null ? "the run did not end" : "the run is INVALID");
  }
  return tile(label, significant(best.gflops), "GFLOP/s", notes.join(" \u00b7 "));
}

// Equal contracts, workloads and seeds must have equal digests, on whatever device and machine.
function hashTile(data) {
  const digests = new Map();
  for (const row of data.ok) {
    if (!row.exact || !row.digest) continue;
    const key = [row.kernel.contract, row.workload_index, row.run.seed].join("|");
    if (!digests.has(key)) digests.set(key, { digests: new Set(), rows: 0 });
    digests.get(key).digests.add(row.digest);
    digests.get(key).rows++;
  }
  if (digests.size === 0) return null;
  const all = [...digests.values()];
  const one = all.filter((d) => d.digests.size === 1).length;
  const rows = all.reduce((sum, d) => sum + d.rows, 0);
  return tile("One hash", one + " of " + all.length, "agree",
    `${plural(rows, "exact row")} in ${plural(all.length, "pair")} of contract and workload: the ` +
    `digests of each pair ${one === all.length ? "are equal." : "should be equal, and are not."}`);
}

function headSection(data) {
  const ok = data.ok.filter((row) => row.exact && known(row.gflops));
  const kernels = new Set(data.ok.map((row) => row.kernel.name)).size;
  const groups = [...new Set(data.workloads.map(groupText))];
  const about = "Attention (" + groups.slice(0, 3).join("; ") +
    (groups.length > 3 ? "; \u2026" : "") + ") by " + plural(kernels, "kernel") +
    (data.many ? " in " + plural(data.runs.length, "run")
      : " on " + shortened(data.runs[0].name, 60)) + ".";
  return el("div", { id: "summary" },
    el(data.title.length > 60 ? "h1.long" : "h1", null, data.title),
    el("p.lead", null, about),
    data.runs.map((run, i) => runCard(data, run, i)),
    el("div.tiles", null,
      bestTile(data, "Best exact kernel, CPU", ok.filter((row) => row.device === "cpu")),
      bestTile(data, "Best exact kernel, Vulkan", ok.filter((row) => row.device !== "cpu")),
      hashTile(data)));
}

// SPDX-License-Identifier: Apache-2.0
//
// The roofline of one device: what each kernel reaches below the roofs that this run measured.
"use strict";

const CONTRACTS = ["F", "M", "X", "none"];

function contractText(contract) {
  return contract === "none" ? "no contract (bounded)" : "contract " + contract;
}

function roofsAt(run, row, bound) {
  return run.roofs.filter((roof) => roof.status === "ok" && roof.device === row.device &&
    (roof.threads ?? null) === (row.threads ?? null) && roof.bound === bound);
}

// Flat lines for multiply-accumulates, slopes for reading, which end at the highest flat one.
function roofGuides(row, [low, high]) {
  const macs = roofsAt(row.run, row, "MAC").filter((roof) => known(roof.gflops));
  const reads = roofsAt(row.run, row, "read").filter((roof) => known(roof.gb_per_s));
  const top = Math.max(0, ...macs.map((roof) => roof.gflops));
  const widest = Math.max(0, ...reads.map((roof) => roof.gb_per_s));
  const flat = macs.sort((a, b) => b.gflops - a.gflops).map((roof) => ({
    dash: [], counts: true,
    label: roof.kernel + " " + significant(roof.gflops, 3) + " GFLOP/s",
    points: [[widest ? Math.max(low, roof.gflops / widest) : low, roof.gflops],
      [high, roof.gflops]],
  }));
  const slopes = reads.sort((a, b) => b.gb_per_s - a.gb_per_s).map((roof) => ({
    dash: [6, 3], counts: false, labelAt: "start",
    label: "read " + (roof.level || "") + " " + significant(roof.gb_per_s, 3) + " GB/s",
    points: [[low, low * roof.gb_per_s],
      [top ? Math.min(high, top / roof.gb_per_s) : high,
        top ? Math.min(high * roof.gb_per_s, top) : high * roof.gb_per_s]],
  }));
  return [...flat, ...slopes];
}

function rooflineSeries(data, rows) {
  return CONTRACTS.map((contract, i) => ({
    name: contractText(contract),
    colour: i,
    marker: i,
    open: contract === "none",
    line: false,
    points: rows.filter((row) => row.kernel.contract === contract).map((row) => ({
      x: row.intensity, y: row.gflops, tip: () => rowTip(data, row),
    })),
  })).filter((series) => series.points.length);
}

function roofsTable(run) {
  return dataTable({
    caption: "Roofs of this run: medians",
    rows: run.roofs,
    columns: [
      { name: "roof", value: (r) => r.kernel, show: (r) => el("span.mono", null, r.kernel) },
      { name: "device", value: (r) => r.device },
      { name: "threads", number: true, value: (r) => r.threads,
        show: (r) => known(r.threads) ? String(r.threads) : UNKNOWN },
      { name: "bound", value: (r) => r.bound },
      { name: "level", value: (r) => r.level, show: (r) => r.level || UNKNOWN },
      { name: "GFLOP/s", number: true, value: (r) => r.gflops,
        show: (r) => significant(r.gflops) },
      { name: "GB/s", number: true, value: (r) => r.gb_per_s,
        show: (r) => significant(r.gb_per_s) },
      { name: "note", class: "long", value: (r) => r.reason,
        show: (r) => r.status === "ok" ? "" : r.status + ": " + (r.reason || "") },
    ],
  }).node;
}

function rooflineSection(data) {
  const rows = data.ok.filter((row) => row.intensity > 0 && row.gflops > 0 &&
    roofsAt(row.run, row, "MAC").length);
  const options = places(data, rows);
  if (options.length === 0) return null;
  return section("roofline", "Roofline",
    "Rate against FLOPs per byte of least traffic, below the roofs measured in the same run.",
    chosen([["place", "Where", options]], ({ place }) => {
      const mine = rows.filter((row) => placeKey(row) === place);
      const [low, high] = extent(mine.map((row) => row.intensity));
      const range = [Math.min(low / 2, 0.25), high * 4];
      const guides = roofGuides(mine[0], range);
      const best = mine.reduce((a, row) => row.gflops > a.gflops ? row : a);
      const [least] = extent(mine.map((row) => row.gflops));
      const most = Math.max(best.gflops, ...guides.flatMap((g) => g.points.map(([, y]) => y)));
      return xyChart({
        alt: `Roofline of ${placeText(data, mine[0])}: the highest of ` +
          `${plural(mine.length, "row")} is ${best.kernel.name} with ${rateText(best)}; roofs: ` +
          guides.map((g) => g.label).join(", ") + ".",
        x: { label: "FLOP / byte", log: 10, range },
        y: { label: "GFLOP/s", log: 10, range: [least / 1.6, most * 1.5] },
        series: rooflineSeries(data, mine),
        guides,
        table: ["The roofs, and every point", () => el("div", null, roofsTable(mine[0].run),
          rowsTable(data, mine, [{ name: "FLOP/byte", number: true, value: (r) => r.intensity,
            show: (r) => significant(r.intensity) }]))],
      }).node;
    }));
}

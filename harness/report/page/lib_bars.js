// SPDX-License-Identifier: Apache-2.0
//
// Horizontal bars with names on the left, an interval, and a text behind each; parts of a bar may
// be stacked.
"use strict";

const BAR_ROW = 30;
const NAME_CHARACTERS = 60;

function shortened(text, most = NAME_CHARACTERS) {
  const letters = [...String(text)];
  return letters.length > most ? letters.slice(0, most - 1).join("") + "\u2026" : letters.join("");
}

function textWidth(texts) {
  const ctx = document.createElement("canvas").getContext("2d");
  ctx.font = plotFont();
  return Math.ceil(Math.max(0, ...texts.map((text) => ctx.measureText(text).width)));
}

// Parts from the last to the first, each as high as all before it together: the first lies on top.
function stacked(bars, parts) {
  return parts.map((_, part) => bars.map((bar) => {
    const sum = bar.values.slice(0, part + 1).reduce((a, b) => a + (b || 0), 0);
    return bar.values[part] === null ? null : sum;
  })).reverse();
}

// Intervals are drawn as far as this: one of a noisy run would leave no room for bars.
function barReach(bars, marks) {
  return 1.25 * Math.max(...bars.map((bar) => bar.total), ...marks);
}

// An arrow before the text says that the interval goes on.
function drawBarTexts(u, bars, texts) {
  const { ctx } = u, px = uPlot.pxRatio;
  ctx.save();
  ctx.font = plotFont(12 * px);
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  ctx.setLineDash([]);
  bars.forEach((bar, i) => {
    const y = u.valToPos(i, "x", true);
    if (known(bar.low) && known(bar.high)) {
      const low = u.valToPos(bar.low, "y", true), high = u.valToPos(bar.end, "y", true);
      ctx.strokeStyle = colour("ink");
      ctx.lineWidth = 1.5 * px;
      ctx.beginPath();
      const caps = [[low, -4, low, 4], ...(bar.more ? [] : [[high, -4, high, 4]])];
      for (const [x0, y0, x1, y1] of [[low, 0, high, 0], ...caps]) {
        ctx.moveTo(x0, y + y0 * px);
        ctx.lineTo(x1, y + y1 * px);
      }
      ctx.stroke();
    }
    haloText(ctx, texts[i], u.valToPos(bar.end, "y", true) + 8 * px, y, colour("ink"));
  });
  ctx.restore();
}

// Only as far as there are bars: behind them is text.
function multiples(step, most) {
  const values = [];
  for (let i = 0; i * step <= most; i++) values.push(i * step);
  return values;
}

// spec: {alt, table, label: of the axis, format, parts: [{name, colour}], marks: [values drawn as
// lines], bars: [{name, values: one per part, or a value in the part that is its colour and null
// elsewhere, low, high, text, brief: on narrow screens, tip}]}.
function barChart(spec) {
  const bars = spec.bars.map((bar) => ({
    ...bar,
    total: bar.values.reduce((sum, value) => sum + (value || 0), 0),
  }));
  const reach = barReach(bars, spec.marks || []);
  for (const bar of bars) {
    bar.end = Math.max(bar.total, known(bar.high) ? Math.min(bar.high, reach) : 0);
    bar.more = bar.high > reach ? "\u2192 " : "";
  }
  const options = (width) => {
    const narrow = width < 560;
    const names = bars.map((bar) => shortened(bar.name, narrow ? 18 : NAME_CHARACTERS));
    const texts = bars.map((bar) =>
      bar.more + (narrow && bar.brief !== undefined ? bar.brief : bar.text));
    const left = Math.min(textWidth(names) + 16, width * 0.45);
    const room = Math.min((textWidth(texts) + 16) / (width - left), 0.62);
    const most = Math.max(...bars.map((bar) => bar.end), ...(spec.marks || []), 1e-300);
    const format = spec.format || tick;
    return {
      data: [bars.map((_, i) => i), ...stacked(bars, spec.parts)],
      options: {
        padding: [0, 8, 0, 0],
        scales: {
          x: { time: false, ori: 1, dir: -1, range: () => [-0.6, bars.length - 0.4] },
          y: { ori: 0, dir: 1, range: () => [0, most / (1 - room)] },
        },
        axes: [
          axis(undefined, { side: 3, size: left, gap: 8, stroke: colour("ink"),
            grid: { show: false }, ticks: { show: false },
            splits: () => bars.map((_, i) => i), values: () => names }),
          axis(spec.label, { side: 2, size: 30, labelSize: 20, space: 70,
            splits: (u, index, low, high, step) => multiples(step, most * 1.02),
            values: (u, splits) => splits.map(format) }),
        ],
        series: [{}, ...[...spec.parts].reverse().map((part) => ({
          paths: uPlot.paths.bars({ size: [0.62, 22], align: 0 }),
          points: { show: false },
          width: 0,
          fill: seriesColour(part.colour),
          stroke: seriesColour(part.colour),
        }))],
        hooks: { draw: [(u) => { drawMarks(u, spec.marks); drawBarTexts(u, bars, texts); }] },
      },
    };
  };
  const used = spec.parts.filter((_, i) => bars.some((bar) => known(bar.values[i])));
  return plotFrame({
    alt: spec.alt,
    table: spec.table,
    legend: used.length < 2 ? null : el("ul.legend", null, used.map((part) =>
      el("li.plain", null, swatch({ colour: part.colour, bar: true }), part.name))),
    height: () => bars.length * BAR_ROW + 62,
    options,
    targets: () => bars.map((bar, i) => ({
      tip: bar.tip,
      row: BAR_ROW,
      place: (u) => [u.valToPos(bar.total, "y"), u.valToPos(i, "x")],
    })),
  });
}

function drawMarks(u, marks) {
  clipped(u, (ctx, px) => {
    for (const mark of marks || []) {
      const x = u.valToPos(mark, "y", true);
      ctx.strokeStyle = colour("muted");
      ctx.lineWidth = 1.25 * px;
      ctx.setLineDash([4 * px, 3 * px]);
      ctx.beginPath();
      ctx.moveTo(x, u.bbox.top);
      ctx.lineTo(x, u.bbox.top + u.bbox.height);
      ctx.stroke();
    }
  });
}

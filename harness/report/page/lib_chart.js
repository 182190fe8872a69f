// SPDX-License-Identifier: Apache-2.0
//
// Charts of y against x: series of points with intervals, fitted curves, guides, on linear or log
// axes. uPlot scales, draws axes and lines; markers, intervals and curves are drawn into it.
"use strict";

const CURVE_STEPS = 60;

function extent(values) {
  let low = Infinity, high = -Infinity;
  for (const value of values) {
    if (!known(value)) continue;
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return low <= high ? [low, high] : [1, 2];
}

// The values with some air around them; a linear axis begins at 0 where fromZero says so.
function padded([low, high], { log, fromZero }) {
  if (log) {
    const air = high / low < 1.5 ? 1.6 : Math.max(1.15, (high / low) ** 0.06);
    return [low / air, high * air];
  }
  const air = 0.06 * (high - low || Math.abs(high) || 1);
  return [fromZero ? 0 : low - air, high + air];
}

function visible(series) {
  return series.filter((one) => one.shown !== false);
}

// The shown series on one list of x, as uPlot wants them.
function aligned(series) {
  const xs = [...new Set(series.flatMap((one) => one.points.map((p) => p.x)))];
  xs.sort((a, b) => a - b);
  const at = new Map(xs.map((x, i) => [x, i]));
  const columns = series.map((one) => {
    const ys = xs.map(() => null);
    if (one.line) one.points.forEach((p) => { ys[at.get(p.x)] = p.y; });
    return ys;
  });
  return xs.length ? [xs, ...columns] : [[1], ...columns.map(() => [null])];
}

// Runs draw(ctx, ratio) within the plot's area, in canvas pixels.
function clipped(u, draw) {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx, uPlot.pxRatio);
  ctx.restore();
}

function drawPath(u, ctx, points) {
  ctx.beginPath();
  points.forEach(([x, y], i) => {
    const px = u.valToPos(x, "x", true), py = u.valToPos(y, "y", true);
    if (i) ctx.lineTo(px, py);
    else ctx.moveTo(px, py);
  });
  ctx.stroke();
}

// The fitted curve over the range of its points: y(x) at even steps of the logarithm.
function curvePoints(one) {
  const [low, high] = extent(one.points.map((p) => p.x));
  const points = [];
  for (let i = 0; i <= CURVE_STEPS; i++) {
    const x = low * (high / low) ** (i / CURVE_STEPS), y = one.curve(x);
    if (known(y) && y > 0) points.push([x, y]);
  }
  return points;
}

function drawGuides(u, spec) {
  clipped(u, (ctx, px) => {
    for (const guide of spec.guides || []) {
      ctx.strokeStyle = guide.colour === undefined ? colour("muted") : seriesColour(guide.colour);
      ctx.lineWidth = (guide.width || 1.25) * px;
      ctx.setLineDash((guide.dash || [2, 4]).map((d) => d * px));
      drawPath(u, ctx, guide.points);
    }
    for (const one of visible(spec.series)) {
      if (!one.curve) continue;
      ctx.strokeStyle = seriesColour(one.colour);
      ctx.lineWidth = 1.25 * px;
      ctx.setLineDash(dashOf(one).map((d) => d * px));
      drawPath(u, ctx, curvePoints(one));
    }
  });
}

function guideLabels(u, spec) {
  const { ctx, bbox } = u, px = uPlot.pxRatio;
  ctx.save();
  ctx.font = plotFont(11 * px);
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  ctx.setLineDash([]);
  const taken = [];
  for (const guide of spec.guides || []) {
    if (!guide.label) continue;
    const [x, y] = guide.points[guide.labelAt === "start" ? 0 : guide.points.length - 1];
    const width = ctx.measureText(guide.label).width;
    let left = u.valToPos(x, "x", true), top = u.valToPos(y, "y", true) - 3 * px;
    left = guide.labelAt === "start" ? left + 4 * px : left - width - 4 * px;
    left = Math.min(Math.max(left, bbox.left + 2 * px), bbox.left + bbox.width - width - 2 * px);
    const clash = (t) => Math.abs(t.top - top) < 12 * px && left < t.right && t.left < left + width;
    if (top < bbox.top + 8 * px || top > bbox.top + bbox.height || taken.some(clash)) continue;
    taken.push({ top, left, right: left + width });
    haloText(ctx, guide.label, left, top, colour("muted"));
  }
  ctx.restore();
}

function drawPoints(u, spec) {
  clipped(u, (ctx, px) => {
    for (const one of visible(spec.series)) {
      const paint = seriesColour(one.colour);
      ctx.strokeStyle = paint;
      ctx.lineWidth = 1.5 * px;
      ctx.setLineDash([]);
      for (const p of one.points) {
        const x = u.valToPos(p.x, "x", true);
        if (known(p.low) && known(p.high)) {
          const low = u.valToPos(p.low, "y", true), high = u.valToPos(p.high, "y", true);
          const cap = 4 * px;
          ctx.beginPath();
          for (const [x0, y0, x1, y1] of [[x, low, x, high], [x - cap, low, x + cap, low],
            [x - cap, high, x + cap, high]]) {
            ctx.moveTo(x0, y0);
            ctx.lineTo(x1, y1);
          }
          ctx.stroke();
        }
        const kind = MARKERS[one.marker % MARKERS.length];
        const path = new Path2D(markerPath(kind, x, u.valToPos(p.y, "y", true), 4 * px));
        ctx.fillStyle = one.open ? colour("paper") : paint;
        ctx.fill(path);
        ctx.stroke(path);
      }
    }
  });
}

// Where a log axis has its lines: powers of two, or 1, 2 and 5 of as few decades as there are.
function logTicks([low, high], base) {
  const decades = Math.log10(high / low);
  const steps = base === 2 ? [1] : decades > 3.2 ? [1] : decades > 0.9 ? [1, 2, 5]
    : [1, 1.5, 2, 3, 4, 5, 6, 8];
  const ticks = [];
  for (let p = Math.floor(Math.log(low) / Math.log(base) - 0.01); base ** p <= high; p++) {
    for (const step of steps) {
      const value = Number((step * base ** p).toPrecision(6));
      if (value >= low && value <= high) ticks.push(value);
    }
  }
  return ticks;
}

// On the x axis the lengths themselves, while they are few.
function ticksOf(side, range, values, most) {
  if (side.ticks) {
    const own = side.ticks(range, most);
    return { splits: () => own, filter: (u, splits) => splits };
  }
  if (!side.log) return {};
  const own = [...new Set(values || [])].filter((v) => v >= range[0] && v <= range[1]);
  let ticks = own.length > 1 && own.length <= 10 ? own.sort((a, b) => a - b)
    : logTicks(range, side.log);
  const every = Math.ceil(ticks.length / most);
  ticks = ticks.filter((_, i) => (ticks.length - 1 - i) % every === 0);
  return { splits: () => ticks, filter: (u, splits) => splits };
}

function scaleOf({ log }, range) {
  const scale = { time: false, auto: true, range: () => range };
  return log ? { ...scale, distr: 3, log } : scale;
}

function chartOptions(spec, width) {
  const series = visible(spec.series), guides = spec.guides || [];
  const points = series.flatMap((one) => one.points);
  // On a linear axis one interval of a noisy run would flatten all else: it may leave the chart.
  const reach = spec.y.log ? Infinity : 1.25 * Math.max(...points.map((p) => p.y));
  const ys = points.flatMap((p) => [p.y, p.low, known(p.high) ? Math.min(p.high, reach) : null])
    .concat(guides.filter((g) => g.counts).flatMap((g) => g.points.map(([, y]) => y)));
  const xs = points.map((p) => p.x)
    .concat(guides.filter((g) => g.counts).flatMap((g) => g.points.map(([x]) => x)));
  const positive = (log) => (v) => !log || v > 0;
  const xRange = spec.x.range || padded(extent(xs.filter(positive(spec.x.log))), spec.x);
  const yRange = spec.y.range || padded(extent(ys.filter(positive(spec.y.log))), spec.y);
  const format = (f) => (u, splits) => splits.map((v) => v === null ? "" : f(v));
  return {
    data: aligned(series),
    options: {
      pxAlign: 0,
      padding: [12, 14, 0, 0],
      scales: { x: scaleOf(spec.x, xRange), y: scaleOf(spec.y, yRange) },
      axes: [
        axis(spec.x.label, { values: format(spec.x.format || tick), size: 34, labelSize: 20,
          ...ticksOf(spec.x, xRange, spec.x.own && points.map((p) => p.x), width / 56) }),
        axis(spec.y.label, { values: format(spec.y.format || tick), size: 62, labelSize: 20,
          ...ticksOf(spec.y, yRange, null, 16) }),
      ],
      series: [{}, ...series.map((one) => ({
        show: true,
        points: { show: false },
        spanGaps: true,
        stroke: seriesColour(one.colour),
        width: 1.75,
        dash: dashOf(one),
      }))],
      hooks: {
        drawAxes: [(u) => drawGuides(u, spec)],
        draw: [(u) => { drawPoints(u, spec); guideLabels(u, spec); }],
      },
    },
  };
}

function chartTargets(spec) {
  return visible(spec.series).flatMap((one) => one.points.map((p) => ({
    tip: p.tip,
    place: (u) => [u.valToPos(p.x, "x"), u.valToPos(p.y, "y")],
  })));
}

const LEGEND_FIRST = 8; // entries that are there without a click

// Buttons that show and hide series; the many that begin hidden wait behind one more button.
function legendOf(series, guides, redraw) {
  const list = el("ul.legend");
  const item = (one) => el("li", null, el("button", {
    type: "button",
    "aria-pressed": String(one.shown !== false),
    click(event) {
      one.shown = one.shown === false;
      event.currentTarget.setAttribute("aria-pressed", String(one.shown));
      redraw();
    },
  }, swatch(one), one.name));
  const first = series.filter((one, i) => one.shown !== false || i < LEGEND_FIRST);
  const rest = series.filter((one) => !first.includes(one));
  add(list, first.map(item));
  for (const guide of guides || []) {
    if (guide.name) {
      add(list, el("li.plain", null, svg("svg", { width: 30, height: 14, "aria-hidden": "true" },
        svg("line", { x1: 0, y1: 7, x2: 30, y2: 7, stroke: "var(--muted)",
          "stroke-dasharray": (guide.dash || [2, 4]).join(" ") })), guide.name));
    }
  }
  if (rest.length) {
    const open = el("li", null, el("button", {
      type: "button",
      click() { open.replaceWith(...rest.map(item)); },
    }, "+ " + plural(rest.length, "more curve")));
    add(list, open);
  }
  return list;
}

// spec: {alt, table, x: {label, log: 0 | 2 | 10, format, range, own: ticks at the points}, y: the
// same and fromZero,
// series: [{name, colour, dash, marker, open, line, shown, curve(x),
//           points: [{x, y, low, high, tip: as in lib_plot.js}]}],
// guides: [{points: [[x, y]], dash, colour, label, name: in the legend, counts: for the range}]}.
function xyChart(spec) {
  const frame = plotFrame({
    alt: spec.alt,
    table: spec.table,
    legend: spec.legend === false ? null
      : legendOf(spec.series, spec.guides, () => frame.redraw()),
    height: spec.height || ((width) => Math.round(Math.min(460, Math.max(300, width * 0.5)))),
    options: (width) => chartOptions(spec, width),
    targets: () => chartTargets(spec),
  });
  return frame;
}

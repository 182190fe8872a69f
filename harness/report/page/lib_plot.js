// SPDX-License-Identifier: Apache-2.0
//
// What all charts share around uPlot: a frame with text alternative, legend, tooltip, keyboard and
// the table behind it; drawn anew when size, colours or the choice of series change.
"use strict";

const REACH_PX = 48; // how far the pointer may be from the point it means

function tipNode(tip) {
  return [el("b", null, tip.title),
    el("dl", null, tip.facts.map(([label, text]) =>
      [el("dt", null, label), el("dd", null, text)]))];
}

function tipText(tip) {
  return tip.title + ": " + tip.facts.map((fact) => fact.join(" ")).join(", ");
}

// spec: {alt: text, legend: element or null, table: [summary, function that makes it] or null,
// height(width), options(width): options and data of uPlot as {options, data},
// targets(): [{tip(): {title, facts: [[label, text]]}, place(u): [left, top] in CSS pixels}] in the
// order of the arrow keys}. A chart is drawn when it is nearly in sight, and for print.
// Returns {node: a <figure>, redraw()}.
function plotFrame(spec) {
  const canvas = el("div.canvas");
  const tip = el("div.tip", { hidden: true });
  const spoken = el("div.hidden-text", { "aria-live": "polite" });
  const host = el("div.chart", {
    tabindex: "0",
    role: "img",
    "aria-label": spec.alt + " Arrow keys read the points.",
    keydown: keys,
    blur: () => show(null),
    mouseleave: () => show(null),
  }, canvas, tip);
  let plot = null, targets = [], at = -1, near = false;

  function draw() {
    const width = Math.floor(canvas.clientWidth);
    if (width < 40) return;
    if (plot) plot.destroy();
    const { options, data } = spec.options(width);
    options.width = width;
    options.height = spec.height(width);
    options.legend = { show: false };
    options.cursor = { points: { show: false }, drag: { x: false, y: false }, x: false, y: false };
    options.hooks = { ...options.hooks, setCursor: [pointed] };
    targets = spec.targets();
    at = -1;
    plot = new uPlot(options, data, canvas);
  }

  function pointed(u) {
    const { left, top } = u.cursor;
    if (left < 0) return;
    let best = -1, least = REACH_PX * REACH_PX;
    targets.forEach((target, i) => {
      const [x, y] = target.place(u);
      const far = (x - left) ** 2 + (target.row ? 4 : 1) * (y - top) ** 2;
      const within = target.row ? Math.abs(y - top) < target.row / 2 : far < least;
      if (within) {
        best = i;
        least = far;
      }
    });
    at = best;
    show(best < 0 ? null : targets[best]);
  }

  function show(target) {
    tip.hidden = target === null;
    if (target === null) return;
    add(clear(tip), tipNode(target.tip()));
    const [left, top] = target.place(plot);
    const over = plot.over, space = host.clientWidth;
    const x = over.offsetLeft + left, y = over.offsetTop + top;
    const beside = x + 14 + tip.offsetWidth <= space ? x + 14 : x - 14 - tip.offsetWidth;
    tip.style.left = Math.max(0, Math.min(beside, space - tip.offsetWidth)) + "px";
    tip.style.top = Math.max(0, y - tip.offsetHeight - 10) + "px";
  }

  function keys(event) {
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    if (event.key === "Escape") show(null);
    if (!(event.key in steps)) return;
    if (!plot) draw();
    if (targets.length === 0) return;
    event.preventDefault();
    const count = targets.length;
    at = at < 0 ? (steps[event.key] > 0 ? 0 : count - 1) : (at + steps[event.key] + count) % count;
    show(targets[at]);
    spoken.textContent = tipText(targets[at].tip());
  }

  const fresh = () => {
    const width = Math.floor(canvas.clientWidth);
    if (!plot) canvas.style.minHeight = spec.height(width) + "px";
    if (near && (!plot || width !== plot.width)) draw();
  };
  new ResizeObserver(fresh).observe(canvas);
  new IntersectionObserver((entries, observer) => {
    near = near || entries.some((entry) => entry.isIntersecting);
    if (!near) return;
    observer.disconnect();
    fresh();
  }, { rootMargin: "50%" }).observe(host);
  onTheme(() => {
    if (host.isConnected) draw();
  });
  // Not within the host: nothing in an image is read aloud.
  const node = el("figure", null, host, spoken, spec.legend,
    spec.table ? behind(spec.table[0], spec.table[1]) : null);
  return { node, redraw: draw };
}

function plotFont(px = 12) {
  return px + "px " + getComputedStyle(document.documentElement).getPropertyValue("--sans");
}

// Text that lines behind it do not cross out.
function haloText(ctx, text, x, y, paint) {
  ctx.lineWidth = 5 * uPlot.pxRatio;
  ctx.lineJoin = "round";
  ctx.strokeStyle = colour("paper");
  ctx.strokeText(text, x, y);
  ctx.fillStyle = paint;
  ctx.fillText(text, x, y);
}

// The axis options that all charts share.
function axis(label, more) {
  return {
    label,
    labelFont: plotFont(),
    font: plotFont(),
    stroke: colour("muted"),
    grid: { stroke: colour("grid"), width: 1 },
    ticks: { stroke: colour("grid"), width: 1, size: 5 },
    labelGap: 2,
    ...more,
  };
}

const SERIES_COLOURS = 8;
const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 2]];
const MARKERS = ["circle", "square", "triangle", "diamond", "down", "cross"];

// Fitted curves are dashed, whatever the run.
function dashOf({ dash = 0, curve = null }) {
  return DASHES[(curve ? dash + 1 : dash) % DASHES.length];
}

function seriesColour(index) {
  return colour("series-" + (index % SERIES_COLOURS));
}

// The outline of a marker of radius r around x, y; as commands of a path for canvas and SVG alike.
function markerPath(kind, x, y, r) {
  const lines = (points) =>
    "M" + points.map(([dx, dy]) => (x + dx * r) + " " + (y + dy * r)).join("L") + "Z";
  const w = 0.35;
  switch (kind) {
    case "square": return lines([[-0.9, -0.9], [0.9, -0.9], [0.9, 0.9], [-0.9, 0.9]]);
    case "triangle": return lines([[0, -1.15], [1.1, 0.85], [-1.1, 0.85]]);
    case "down": return lines([[0, 1.15], [1.1, -0.85], [-1.1, -0.85]]);
    case "diamond": return lines([[0, -1.25], [1.05, 0], [0, 1.25], [-1.05, 0]]);
    case "cross": return lines([[-1.1, -w], [-w, -w], [-w, -1.1], [w, -1.1], [w, -w], [1.1, -w],
      [1.1, w], [w, w], [w, 1.1], [-w, 1.1], [-w, w], [-1.1, w]]);
    default: return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  }
}

// A sample of a series for legends: its line with dash, and its marker. Colours follow the theme.
function swatch(series) {
  const { colour: index, marker, line, curve, open = false, bar = false } = series;
  const paint = "var(--series-" + (index % SERIES_COLOURS) + ")";
  const node = svg("svg", { width: 30, height: 14, "aria-hidden": "true" });
  if (bar) return add(node, svg("rect", { x: 8, y: 2, width: 14, height: 10, fill: paint }));
  if (line || curve) {
    add(node, svg("line", { x1: 0, y1: 7, x2: 30, y2: 7, stroke: paint, "stroke-width": 2,
      "stroke-dasharray": dashOf(series).join(" ") }));
  }
  return marker === undefined ? node : add(node, svg("path", {
    d: markerPath(MARKERS[marker % MARKERS.length], 15, 7, 4),
    fill: open ? "var(--paper)" : paint, stroke: paint, "stroke-width": 1.5 }));
}

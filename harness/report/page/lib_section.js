// SPDX-License-Identifier: Apache-2.0
//
// Parts of a page: sections, and choices with what they show.
"use strict";

// A section with its heading and one line on what it shows.
function section(id, title, about, ...children) {
  return el("section", { id, "aria-labelledby": id + "-title" },
    el("h2", { id: id + "-title" }, title), about ? el("p", null, about) : null, children);
}

// Choices above, and below what show(values) makes of them, whenever one changes.
// choices: [name, label, options, value]; where there is one option it is said, unless the label is
// null.
function chosen(choices, show) {
  const values = {}, below = el("div");
  const update = () => add(clear(below), show(values));
  const controls = choices.map(([name, label, options, value]) => {
    values[name] = value === undefined ? options[0] && options[0][0] : value;
    if (options.length < 2) {
      return options.length && label ? el("div.only", null, label, el("span", null, options[0][1]))
        : null;
    }
    return choice(label, options, values[name], (now) => {
      values[name] = now;
      update();
    });
  });
  update();
  return [controls.some(Boolean) ? el("div.controls", null, controls) : null, below];
}

// The place of each workload among them all: prefill first, then by heads, sizes, type, mask and
// lengths.
function workloadPlaces(workloads) {
  const key = (w) => [Number(w.decode), w.b, w.h, w.hk, w.d, w.dv, w.dtype, w.mask, w.n, w.m];
  const compare = (a, b) => key(a).map((value, i) => compareValues(value, key(b)[i], 1))
    .find((sign) => sign !== 0) || 0;
  const places = new Map([...workloads].sort(compare).map((w, place) => [w, place]));
  return workloads.map((w) => places.get(w));
}

// [index, label] of the used ones, in that order; labels that two share are spelt out.
function workloadChoices(workloads, used) {
  const labels = workloads.map((w) => w.label), places = workloadPlaces(workloads);
  const text = (w) => labels.indexOf(w.label) === labels.lastIndexOf(w.label) ? w.label : w.text;
  return workloads.map((w, i) => [String(i), text(w)]).filter(([i]) => used.has(Number(i)))
    .sort(([a], [b]) => places[a] - places[b]);
}

// What every page ends with.
function pageFooter(data) {
  return [
    el("p", null, `Written by attnmark ${data.tool_version} at ${data.generated}; numeric ` +
      `contract version ${data.contract_version}. This page is complete: it requests nothing.`),
    el("p", null, "attnmark: Apache License 2.0. Charts by uPlot: MIT License, \u00a9 Leon " +
      "Sorokin; the licence is in the source of this page."),
  ];
}

// SPDX-License-Identifier: Apache-2.0
//
// Building elements, and numbers for people. Texts enter the page as text only: there is no other
// way here. Numbers have a decimal point whatever the browser's language is.
"use strict";

// el("td.number", {title: "..."}, child or text...): null children are left out. An attribute that
// is a function listens to that event; true is an attribute without a value.
function el(what, attributes, ...children) {
  const [tag, ...classes] = what.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value);
    }
  }
  return add(node, ...children);
}

function add(node, ...children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

function svg(tag, attributes, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return add(node, ...children);
}

function clear(node) {
  node.replaceChildren();
  return node;
}

function known(value) {
  return typeof value === "number" && Number.isFinite(value);
}

const UNKNOWN = "-";

// Significant digits, as the program prints them: "81.25", "0.00412", "107.8"; no exponents where
// a number is large.
function significant(value, digits = Math.abs(value) < 1 ? 3 : 4) {
  if (!known(value)) return UNKNOWN;
  if (value === 0) return "0";
  const text = value.toPrecision(digits);
  return text.includes("e") && Math.abs(value) >= 1 ? value.toFixed(0) : text;
}

const TIMES = [[1, "ns"], [1e3, "us"], [1e6, "ms"], [1e9, "s"]];

function unitOf(ns) {
  let unit = TIMES[0];
  for (const candidate of TIMES) {
    if (Math.abs(ns) >= candidate[0]) unit = candidate;
  }
  return unit;
}

// "18.04 ms"
function time(ns) {
  if (!known(ns)) return UNKNOWN;
  const [size, unit] = unitOf(ns);
  return significant(ns / size) + " " + unit;
}

// "[15.84, 18.33] ms", in the unit of the median.
function timeInterval(median, low, high) {
  if (!known(low) || !known(high)) return UNKNOWN;
  const [size, unit] = unitOf(known(median) ? median : low);
  return "[" + significant(low / size) + ", " + significant(high / size) + "] " + unit;
}

function percent(share) {
  return known(share) ? (100 * share).toFixed(1) + " %" : UNKNOWN;
}

function change(share) {
  return known(share) ? (share < 0 ? "" : "+") + percent(share) : UNKNOWN;
}

function ratio(value) {
  return known(value) ? significant(value, 3) + "\u00d7" : UNKNOWN;
}

function interval(low, high, format = (x) => significant(x, 3)) {
  return known(low) && known(high) ? "[" + format(low) + ", " + format(high) + "]" : UNKNOWN;
}

// A figure and its interval; one dash where both are unknown.
function withInterval(text, low, high, format) {
  const range = interval(low, high, format);
  return range === UNKNOWN ? text : text + " " + range;
}

// For axes: as few digits as tell the ticks apart.
function tick(value) {
  if (!known(value)) return "";
  const text = Number(value.toPrecision(6));
  return Math.abs(text) >= 1e6 ? Number((text / 1e6).toPrecision(4)) + "M" : String(text);
}

function tickTime(ns) {
  if (!known(ns)) return "";
  const [size, unit] = unitOf(ns * 1.0000001);
  return tick(ns / size) + " " + unit;
}

function plural(count, word) {
  return count + " " + word + (count === 1 ? "" : "s");
}

// A word of a command line as a POSIX shell reads it back.
function quoted(word) {
  const text = String(word);
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
}

// A labelled choice; options are [value, text]. Returns the label; its select is `.control`.
function choice(label, options, value, changed) {
  const control = el("select", { change: () => changed(control.value) },
    options.map(([key, text]) => el("option", { value: key, selected: key === value }, text)));
  const node = el("label", null, label, control);
  node.control = control;
  return node;
}

// Copies the text; resolves to whether it did. Pages from a file may lack the clipboard's API.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = el("textarea", { class: "hidden-text" });
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

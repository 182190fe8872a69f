// SPDX-License-Identifier: Apache-2.0
//
// The page: its sections in order, those without data left out, and the list of them above.
"use strict";

const SECTIONS = [
  ["scaling", "Scaling", curvesSection],
  ["roofline", "Roofline", rooflineSection],
  ["shares", "Shares", sharesSection],
  ["ladder", "Ladder", ladderSection],
  ["devices", "Devices", devicesSection],
  ["split", "Time split", splitSection],
  ["decode", "Decode", decodeSection],
  ["comparison", "Comparison", compareSection],
  ["rows", "Rows", rowsSection],
  ["facts", "Machine", factsSection],
  ["reading", "How to read it", readingSection],
];

function readingSection() {
  return section("reading", "How to read it", null,
    document.getElementById("reading-text").content.cloneNode(true));
}

function buildPage() {
  const data = readData();
  themeButton(document.getElementById("theme"));
  const main = document.getElementById("main"), contents = document.getElementById("contents");
  add(main, headSection(data));
  for (const [id, name, make] of SECTIONS) {
    const node = make(data);
    if (!node) continue;
    add(main, node);
    add(contents, el("a", { href: "#" + id }, name), " ");
  }
  add(document.getElementById("footer"), pageFooter(data));
}

buildPage();

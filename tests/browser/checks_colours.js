// SPDX-License-Identifier: Apache-2.0
//
// Contrast as WCAG 2 counts it: 4.5 for texts, 3 for what charts draw.
"use strict";
const { equal, ok } = require("./tap.js");

// Runs in the page. Texts whose colour has too little contrast with the paper behind them.
function weakTexts(least) {
  const channels = (text) => text.match(/[\d.]+/g).map(Number);
  const luminance = (rgb) => rgb.slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)];
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
  };
  const paperOf = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const paper = channels(getComputedStyle(at).backgroundColor);
      if (paper.length === 3 || paper[3] === 1) return paper;
    }
    return [255, 255, 255];
  };
  const hasText = (node) => [...node.childNodes].some((child) =>
    child.nodeType === Node.TEXT_NODE && child.textContent.trim());
  const texts = [...document.querySelectorAll("body *")].filter((node) => hasText(node) &&
    node.checkVisibility() && !node.closest("script, option, .hidden-text, noscript"));
  const weak = texts.map((node) => [node.outerHTML.slice(0, 80),
    contrast(channels(getComputedStyle(node).color), paperOf(node))]);
  const paint = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => ["series-" + i,
    contrast(channels(colour("series-" + i)), channels(colour("paper")))]);
  return { count: texts.length, texts: weak.filter(([, c]) => c < least.text),
    series: paint.filter(([, c]) => c < least.series) };
}

async function contrast(page, name) {
  const { count, texts, series } = await page.evaluate(weakTexts, { text: 4.5, series: 3 });
  ok(count > 100, `${name}: texts are looked at`, count);
  equal(texts, [], `${name}: texts have a contrast of 4.5`);
  equal(series, [], `${name}: curves have a contrast of 3`);
}

module.exports = { contrast };

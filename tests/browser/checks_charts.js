// SPDX-License-Identifier: Apache-2.0
//
// Charts: drawn, hovered, toggled, by keyboard, in dark and light.
"use strict";
const { settled } = require("./page.js");
const { equal, ok } = require("./tap.js");

// The pixels that are not blank, of each chart in the section; a chart is drawn when in sight.
async function inkOf(page, id) {
  await page.locator(`#${id} .chart`).scrollIntoViewIfNeeded();
  await page.waitForSelector(`#${id} canvas`);
  return page.$$eval(`#${id} canvas`, (canvases) => canvases.map((canvas) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height)
      .getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const data = copy.getImageData(0, 0, canvas.width, canvas.height).data;
    let ink = 0;
    for (let i = 3; i < data.length; i += 4) ink += data[i] > 0;
    return ink;
  }));
}

async function drawn(page) {
  for (const id of ["scaling", "roofline", "shares", "ladder", "devices", "split", "decode"]) {
    const ink = await inkOf(page, id);
    ok(ink.length === 1 && ink[0] > 500, `the chart of ${id} is drawn`, { ink });
    const label = await page.getAttribute(`#${id} .chart`, "aria-label");
    ok(label.length > 40, `${id} has a text alternative`, label);
    if (id === "split") continue; // its table is in sight
    await page.click(`#${id} details summary`);
    ok(await page.locator(`#${id} details tbody tr`).count() > 1, `${id} has a table behind it`);
  }
}

// Moves over the chart until its tooltip shows, from the left.
async function hover(page, id, fraction) {
  await page.locator(`#${id} .chart`).scrollIntoViewIfNeeded();
  const box = await page.locator(`#${id} .u-over`).boundingBox();
  for (let x = 4; x < box.width; x += 12) {
    for (const y of fraction) {
      await page.mouse.move(box.x + x, box.y + box.height * y);
      if (await page.locator(`#${id} .tip`).isVisible()) {
        return page.locator(`#${id} .tip`).innerText();
      }
    }
  }
  return "";
}

async function tooltips(page) {
  const tip = await hover(page, "scaling", [0.2, 0.4, 0.6, 0.8]);
  ok(/\bn\s+256\b/.test(tip), "hovering shows n", tip);
  ok(/median\s+[\d.]+ (ns|us|ms|s)/.test(tip), "hovering shows the median", tip);
  ok(/95 % interval\s+\[[\d.]+, [\d.]+\] (ns|us|ms|s)/.test(tip), "and its interval", tip);
  const bar = await hover(page, "shares", [0.1]);
  ok(/of roof\s+[\d.]+ % MAC/.test(bar), "hovering a bar shows the share", bar);
}

async function keyboard(page) {
  await page.focus("#scaling .chart");
  await page.keyboard.press("ArrowRight");
  const first = await page.locator("#scaling .tip").innerText();
  await page.keyboard.press("ArrowRight");
  const second = await page.locator("#scaling .tip").innerText();
  ok(first && second && first !== second, "arrow keys go from point to point", { first, second });
  const spoken = await page.locator("#scaling [aria-live]").textContent();
  ok(spoken.includes("median") && await page.locator("[role=img] [aria-live]").count() === 0,
    "and are read aloud", spoken);
  await page.keyboard.press("Escape");
  ok(!await page.locator("#scaling .tip").isVisible(), "Escape closes the tooltip");
  const outline = await page.$eval("#theme", (button) => {
    button.focus({ focusVisible: true });
    return getComputedStyle(button).outlineStyle;
  });
  equal(outline, "solid", "focus is visible");
  await page.keyboard.press("Tab");
  ok(await page.evaluate(() => document.activeElement.closest("#main") !== null),
    "Tab goes from the bar to the results");
}

async function legend(page) {
  const button = page.locator("#scaling .legend button").first();
  const before = (await inkOf(page, "scaling"))[0];
  await button.click();
  equal(await button.getAttribute("aria-pressed"), "false", "the legend hides a curve");
  ok((await inkOf(page, "scaling"))[0] !== before, "which is gone from the chart");
  await button.click();
  equal((await inkOf(page, "scaling"))[0], before, "and comes back as it was");
}

async function metrics(page) {
  for (const metric of ["rate", "share", "time"]) {
    await page.selectOption("#scaling select >> nth=-1", metric);
    await settled(page);
    ok((await inkOf(page, "scaling"))[0] > 500, `the curves as ${metric}`);
  }
}

// The background, and the colour of the axis of a chart.
async function colours(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector("#scaling canvas");
    const copy = new OffscreenCanvas(60, canvas.height)
      .getContext("2d", { willReadFrequently: true });
    copy.drawImage(canvas, 0, 0);
    const data = copy.getImageData(0, 0, 60, canvas.height).data;
    let light = 0, ink = 0;
    for (let i = 0; i < data.length; i += 4) {
      if (data[i + 3] > 200) {
        ink++;
        light += data[i];
      }
    }
    return { paper: getComputedStyle(document.body).backgroundColor, ink: light / ink };
  });
}

async function themes(page) {
  await page.emulateMedia({ colorScheme: "light" });
  const light = await colours(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await settled(page);
  const dark = await colours(page);
  ok(light.paper !== dark.paper, "dark mode changes the paper", { light, dark });
  ok(dark.ink > light.ink + 30, "and the colours of charts", { light, dark });
  await page.click("#theme");
  await settled(page);
  equal(await colours(page), light, "the button says light, whatever the system wants");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await settled(page);
  equal((await colours(page)).paper, light.paper, "paper is light in print");
  ok(!await page.locator(".bar").isVisible(), "print has no bar and no controls");
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  await page.click("#theme");
  await page.click("#theme");
}

// On a page that nobody scrolled.
async function printed(page) {
  const charts = await page.locator(".chart").count();
  ok(await page.locator("canvas").count() < charts, "charts out of sight wait");
  await page.emulateMedia({ media: "print" });
  await settled(page);
  equal(await page.locator("canvas").count(), charts, "print has every chart");
  const wide = await page.$$eval(".u-wrap", (nodes) => nodes.filter((node) => {
    node.style.width = "3000px"; // as if the screen had been that wide
    return node.firstElementChild.getBoundingClientRect().width > innerWidth;
  }).length);
  equal(wide, 0, "and none is wider than paper");
  ok(await page.locator("#shares select").first().isVisible(), "it says what charts show");
  ok(!await page.locator("#rows input").isVisible(), "and has no empty search");
}

// Where the system forces its colours on texts.
async function forced(page) {
  const colours = await page.evaluate(() => ["ink", "paper", "series-0", "series-1"].map(colour));
  equal(new Set(colours).size, 4, "curves keep their colours, and texts can be read", colours);
}

module.exports = { drawn, forced, keyboard, legend, metrics, printed, themes, tooltips };

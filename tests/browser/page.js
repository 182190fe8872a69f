// SPDX-License-Identifier: Apache-2.0
//
// Pages made by the program, opened in Chromium.
"use strict";
const { execFileSync } = require("node:child_process");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

// The page of these run files, beside the first of them.
function makePage(program, runs) {
  const file = path.join(path.dirname(runs[0]), "report.html");
  execFileSync(program, ["report", ...runs, "-o", file],
    { stdio: ["ignore", "ignore", "inherit"] });
  return file;
}

// A browser that cannot reach anything, whatever a page asks for.
function launch(executable) {
  return chromium.launch({
    executablePath: executable,
    args: ["--no-sandbox", "--disable-background-networking",
      "--host-resolver-rules=MAP * ~NOTFOUND"],
  });
}

// Opens the file. What went wrong meanwhile is in faults; what was requested but the file, in
// requests; loaded: milliseconds until it can be used.
async function openPage(browser, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const faults = [], requests = [], url = pathToFileURL(file).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) faults.push(message.text());
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("dialog", (dialog) => {
    faults.push("dialog: " + dialog.message());
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) requests.push(request.url());
  });
  const start = Date.now();
  await page.goto(url);
  await page.waitForSelector("#rows tbody tr");
  await page.evaluate(() => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done))));
  const loaded = Date.now() - start;
  return { page, faults, requests, loaded, close: () => context.close() };
}

// Charts are drawn when they are nearly in sight.
async function seeAll(page) {
  for (const chart of await page.locator(".chart").all()) {
    await chart.scrollIntoViewIfNeeded();
    await chart.locator("canvas").waitFor();
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

module.exports = { launch, makePage, openPage, seeAll };

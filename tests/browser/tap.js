// SPDX-License-Identifier: Apache-2.0
"use strict";

let count = 0, bad = 0;

function ok(good, name, detail) {
  count++;
  if (!good) bad++;
  console.log(`${good ? "ok" : "not ok"} ${count} - ${name}`);
  if (!good && detail !== undefined) {
    console.log(String(typeof detail === "string" ? detail : JSON.stringify(detail))
      .replace(/^/gm, "# "));
  }
}

function equal(found, wanted, name) {
  ok(JSON.stringify(found) === JSON.stringify(wanted), name, { found, wanted });
}

// A check that throws has failed; the others go on.
async function group(name, checks) {
  try {
    await checks();
  } catch (error) {
    ok(false, name + " runs to its end", error.stack);
  }
}

function end() {
  console.log("1.." + count);
  return bad === 0;
}

module.exports = { end, equal, group, ok };

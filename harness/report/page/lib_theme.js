// SPDX-License-Identifier: Apache-2.0
//
// Dark and light: what the system wants, until the button says otherwise; light on paper. Whoever
// draws by itself registers with onTheme and asks for colours by name; who makes things when they
// are scrolled to registers with onPrint.
"use strict";

const themeListeners = [], printListeners = [];
const themeColours = new Map();

function onTheme(listener) {
  themeListeners.push(listener);
}

function onPrint(listener) {
  printListeners.push(listener);
}

function themeChanged() {
  themeColours.clear();
  for (const listener of themeListeners) listener();
}

// The value of a custom property as canvases understand it: light-dark() resolved. Where a system
// forces its colours on texts, those of charts stay what their legends say.
function colour(name) {
  if (!themeColours.has(name)) {
    const probe = document.body.appendChild(document.createElement("span"));
    probe.style.forcedColorAdjust = "none";
    probe.style.color = "var(--" + name + ")";
    themeColours.set(name, getComputedStyle(probe).color);
    probe.remove();
  }
  return themeColours.get(name);
}

function themeButton(button) {
  const themes = ["system", "light", "dark"];
  const root = document.documentElement;
  let now = 0, printed = null;
  const apply = (name) => {
    if (name === "system") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", name);
    themeChanged();
  };
  const printing = (starts) => {
    if (starts === (printed !== null)) return;
    printed = starts ? themes[now] : null;
    apply(starts ? "light" : themes[now]);
    if (starts) printListeners.forEach((listener) => listener());
  };
  button.addEventListener("click", () => {
    now = (now + 1) % themes.length;
    button.textContent = "Theme: " + themes[now];
    apply(themes[now]);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", themeChanged);
  matchMedia("print").addEventListener("change", (event) => printing(event.matches));
  addEventListener("beforeprint", () => printing(true));
  addEventListener("afterprint", () => printing(false));
}

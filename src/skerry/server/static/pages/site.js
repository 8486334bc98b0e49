// What every page has in its header: how many of your games wait for you, and the look of pages.

import { keepAlerts } from "../lib/alerts.js";
import { $, find, findAll } from "../lib/page.js";
import { keepLook, readLook } from "../lib/preferences.js";
import { findWorker } from "../lib/push.js";
import { follow, isYourTurn } from "../lib/yours.js";

/** @import { Look } from "../lib/preferences.js" */

const link = $("waiting");
const words = link.textContent ?? "";

follow((games) => {
  const waiting = games.filter(isYourTurn).length;
  link.textContent = waiting ? `${words} (${waiting})` : words;
  link.title = waiting === 1 ? "One waits for you" : waiting ? `${waiting} wait for you` : "";
});

// What is asked for first comes first.
window.addEventListener("load", () => findWorker());
follow((games) => keepAlerts(games.map(({ id }) => id)));

const panel = $("look");
const themes = findAll("[name=theme]", panel, HTMLInputElement);
const coordinates = find("[name=coordinates]", panel, HTMLInputElement);

function showLook() {
  const look = readLook();
  for (const each of themes) each.checked = each.value === look.theme;
  coordinates.checked = look.coordinates;
}

panel.addEventListener("change", () => {
  const chosen = themes.find((each) => each.checked)?.value ?? "system";
  keepLook({ theme: /** @type {Look["theme"]} */ (chosen), coordinates: coordinates.checked });
});
document.addEventListener("look", showLook);
showLook();

// What every page has: how many of your games wait for you, the look of pages, and codes to copy.

import { keepAlerts } from "../lib/alerts.js";
import { copy, writeFrame } from "../lib/clipboard.js";
import { findMe, recallMe } from "../lib/me.js";
import { $, find, findAll, readData } from "../lib/page.js";
import { keepLook, readLook, stylePictures } from "../lib/preferences.js";
import { findWorker } from "../lib/push.js";
import { tn } from "../lib/texts.js";
import { follow, isYourTurn } from "../lib/yours.js";
import { watchLobby } from "./site/waiting.js";

/** @import { Look } from "../lib/preferences.js" */

// Whoever was signed out elsewhere learns it here; guests are not asked about.
if (recallMe()) findMe();

const link = $("waiting");
const words = link.textContent ?? "";

follow((games) => {
  const waiting = games.filter(isYourTurn).length;
  link.textContent = waiting ? `${words} (${waiting})` : words;
  link.toggleAttribute("data-waits", waiting > 0);
  link.title = waiting ? tn("One waits for you", "{n} wait for you", waiting) : "";
});

watchLobby($("to-lobby"));

for (const button of findAll("[data-embed]")) {
  const code = writeFrame(readData(button, "embed"), readData(button, "title"));
  button.addEventListener("click", () => copy(code, button));
}
for (const box of findAll(".announcement")) {
  const form = find("form", box, HTMLFormElement);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    fetch(form.action, { method: "POST", redirect: "manual" }).catch(() => {});
    box.remove();
  });
}
// What is asked for first comes first.
window.addEventListener("load", () => findWorker());
follow((games) => keepAlerts(games.map(({ id }) => id)));

const panel = $("look");
const coordinates = find("[name=coordinates]", panel, HTMLInputElement);

/** @param {string} name of what is chosen */
function findChoices(name) {
  return findAll(`[name=${name}]`, panel, HTMLInputElement);
}

/** @param {string} name */
function readChoice(name) {
  return findChoices(name).find((each) => each.checked)?.value ?? "";
}

/**
 * A style, or nothing if it is the usual one: that is the first.
 *
 * @param {string} name
 */
function readStyle(name) {
  const style = readChoice(name);
  return style === findChoices(name)[0]?.value ? "" : style;
}

function showLook() {
  const look = readLook();
  for (const name of /** @type {const} */ (["theme", "board", "pieces"])) {
    const choices = findChoices(name);
    const chosen = choices.find(({ value }) => value === look[name]) ?? choices[0];
    if (chosen) chosen.checked = true;
  }
  coordinates.checked = look.coordinates;
  stylePictures();
}

panel.addEventListener("change", () => {
  keepLook({
    theme: /** @type {Look["theme"]} */ (readChoice("theme")),
    board: readStyle("board"),
    pieces: readStyle("pieces"),
    coordinates: coordinates.checked,
  });
});
document.addEventListener("look", showLook);
showLook();

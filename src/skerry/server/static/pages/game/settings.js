// What somebody has settled for all games, and what newcomers are told; this browser remembers both.

import { clearNotices, listenToAlerts } from "../../lib/alerts.js";
import { $ } from "../../lib/page.js";
import { listenToSound } from "../../lib/sound.js";
import { readText, writeText } from "../../lib/storage.js";

const [CONFIRM, COUNTING, OFF] = ["skerry:confirm", "skerry:counting", "off"];
const KNOWN = "skerry:known:"; // and a game whose goal needs no telling any more

const confirming = $("confirming", HTMLInputElement);
const counting = $("counting", HTMLInputElement);

/** Whether whole moves wait to be confirmed. */
export function isConfirming() {
  return confirming.checked;
}

/** Whether the board shows what counts. */
export function isCounting() {
  return counting.checked;
}

/**
 * @param {string} name of the game
 * @param {() => void} draw the board has to look different now
 */
export function listenToSettings(name, draw) {
  confirming.checked = Boolean(readText(CONFIRM));
  confirming.addEventListener("change", () => writeText(CONFIRM, confirming.checked ? "yes" : ""));
  counting.checked = readText(COUNTING) !== OFF;
  counting.addEventListener("change", () => {
    writeText(COUNTING, counting.checked ? "" : OFF);
    draw();
  });
  listenToSound($("sounding", HTMLInputElement));
  listenToAlerts($("notifying", HTMLInputElement), $("alerts-note"));
  document.addEventListener("visibilitychange", clearNotices);
  clearNotices();
  introduce(name);
}

/** @param {string} name */
function introduce(name) {
  const intro = $("intro");
  intro.hidden = Boolean(readText(KNOWN + name));
  $("got-it").addEventListener("click", () => {
    writeText(KNOWN + name, "yes");
    intro.hidden = true;
  });
  $("show-intro").addEventListener("click", () => {
    intro.hidden = false;
    intro.scrollIntoView({ block: "nearest" });
  });
}

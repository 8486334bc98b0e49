// What people type: remarks to each other, and their names, which this browser remembers.

import { recallMe } from "../../lib/me.js";
import { keepName, recallName } from "../../lib/name.js";
import { $ } from "../../lib/page.js";
import { renderRemarks } from "./lists.js";
import { hasCompany, sayWhoWatches } from "./words.js";

/** @import { GameDocument } from "../../lib/types.js" */

/**
 * What is said, by players and by those who watch, and who may say something. Players hear nothing
 * of the others while they play.
 *
 * @param {GameDocument} game
 */
export function renderTalk(game) {
  const { yours, seats, watching, gallery } = game;
  const isPlayer = yours.length > 0;
  const isPlaying = isPlayer && game.to_move !== null;
  renderRemarks($("chat"), game.chat);
  $("talk").hidden = isPlayer ? !hasCompany(game) : !game.chat.length;
  $("chat-form").hidden = !isPlayer;
  $("name-form").hidden = !yours.some((seat) => !seats[seat]?.person); // accounts have theirs
  renderRemarks($("remarks"), gallery);
  $("gallery-form").hidden = isPlaying || !recallMe();
  $("gallery-sign").hidden = isPlaying || Boolean(recallMe());
  const words = sayWhoWatches(watching);
  if ($("watchers").textContent !== words) $("watchers").textContent = words;
  $("gallery").hidden = isPlayer && !watching.count && !gallery.length;
}

/**
 * @param {(what: "chat" | "gallery", body: object) => Promise<boolean>} change does it at the server
 * @param {(name: string) => unknown} claim sits down under a name
 */
export function listenToTalk(change, claim) {
  const nameField = $("name", HTMLInputElement);
  nameField.value = recallName();
  listenToRemarks("chat", change);
  listenToRemarks("gallery", change);

  $("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepName(nameField.value);
    claim(nameField.value);
  });
}

/**
 * @param {"chat" | "gallery"} where
 * @param {(what: "chat" | "gallery", body: object) => Promise<boolean>} change
 */
function listenToRemarks(where, change) {
  const field = $(`${where}-text`, HTMLInputElement);
  $(`${where}-form`).addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.value;
    if (field.disabled || !text.trim()) return; // or it would be sent twice
    field.disabled = true;
    const done = await change(where, { text });
    field.disabled = false;
    if (done) field.value = "";
    if (document.activeElement === document.body) field.focus(); // nobody went on elsewhere
  });
}

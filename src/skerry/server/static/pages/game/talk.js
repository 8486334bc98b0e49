// What people type: remarks to each other, and their names, which this browser remembers.

import { keepName, recallName } from "../../lib/name.js";
import { $ } from "../../lib/page.js";

/**
 * @param {(what: "chat", body: object) => Promise<boolean>} change does it at the server
 * @param {(name: string) => unknown} claim sits down under a name
 */
export function listenToTalk(change, claim) {
  const chatField = $("chat-text", HTMLInputElement);
  const nameField = $("name", HTMLInputElement);
  nameField.value = recallName();
  $("chat-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = chatField.value;
    if (chatField.disabled || !text.trim()) return; // or it would be sent twice
    chatField.disabled = true;
    const done = await change("chat", { text });
    chatField.disabled = false;
    if (done) chatField.value = "";
    if (document.activeElement === document.body) chatField.focus(); // nobody went on elsewhere
  });

  $("name-form").addEventListener("submit", (event) => {
    event.preventDefault();
    keepName(nameField.value);
    claim(nameField.value);
  });
}

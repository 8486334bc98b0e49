// Forms that ask the server for something and say what became of it.

import { copy } from "./clipboard.js";
import { $, find, findAll, make } from "./page.js";

/**
 * What was typed, by the names of fields.
 *
 * @param {HTMLFormElement} form
 * @returns {Record<string, string>}
 */
export function fieldsOf(form) {
  const fields = findAll("[name]", form).filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement,
  );
  return Object.fromEntries(fields.map((field) => [field.name, field.value]));
}

/**
 * @param {string} id
 * @param {(form: HTMLFormElement) => Promise<string>} act why it was not done; empty if it was
 */
export function listenToForm(id, act) {
  const form = $(id, HTMLFormElement);
  const button = find("button", form, HTMLButtonElement);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const empty = findAll("input[required], textarea[required]", form).find(
      (field) => "value" in field && !field.value,
    );
    if (empty) {
      empty.focus();
      return;
    }
    if (button.disabled) return; // or it would be sent twice
    button.disabled = true;
    find(".message", form).textContent = "";
    find(".message", form).textContent = await act(form);
    button.disabled = false;
  });
}

/**
 * Show recovery codes, to be copied or saved.
 *
 * @param {string[]} codes
 */
export function showCodes(codes) {
  const text = `${codes.join("\n")}\n`;
  $("codes").replaceChildren(...codes.map((code) => make("li", {}, code)));
  $("copy-codes").onclick = () => copy(text, $("copy-codes", HTMLButtonElement));
  $("save-codes", HTMLAnchorElement).href = `data:text/plain,${encodeURIComponent(text)}`;
}

// The list of tournaments, and the form that makes another.

import { readOptions } from "../lib/newgame.js";
import { find, findAll, readData } from "../lib/page.js";
import { isRefusal, send } from "../lib/requests.js";
import { writeTimes } from "../lib/time.js";

/** @import { EventShown, NewEvent, Refusal } from "../lib/types.js" */

writeTimes(document);
const [form] = findAll("#make", document, HTMLFormElement);
if (form) prepare(form);

/** @param {HTMLFormElement} form */
function prepare(form) {
  form.addEventListener("change", () => fit(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    make(form);
  });
  fit(form);
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 */
function readField(form, name) {
  return String(new FormData(form).get(name) ?? "").trim();
}

/**
 * Show what there is to choose for this system, and what is not for games of three.
 *
 * @param {HTMLFormElement} form
 */
function fit(form) {
  const game = find("[name=game]", form, HTMLSelectElement);
  const system = find("[name=system]", form, HTMLSelectElement);
  const isForThree = game.selectedOptions[0]?.dataset.seats === "3";
  for (const option of system.options) {
    option.disabled = isForThree && ["knockout", "arena"].includes(option.value);
    if (option.disabled && option.selected) system.value = "swiss";
  }
  for (const board of findAll("[data-board]", form)) {
    board.hidden = readData(board, "board") !== game.value;
  }
  const chosen = system.value;
  const begins = readField(form, "begins");
  const shown = {
    rounds: chosen === "round-robin" || chosen === "swiss",
    minutes: chosen === "arena",
    quorum: begins === "quorum",
    time: begins === "time",
  };
  for (const [name, isShown] of Object.entries(shown)) {
    find(`[data-for=${name}]`, form).hidden = !isShown;
  }
}

/**
 * What the form asks for; what is hidden does not count.
 *
 * @param {HTMLFormElement} form
 * @returns {NewEvent}
 */
function read(form) {
  const isShown = (/** @type {string} */ name) => !find(`[data-for=${name}]`, form).hidden;
  const number = (/** @type {string} */ name) =>
    isShown(name) && readField(form, name) ? Number(readField(form, name)) : null;
  const time = isShown("time") ? readField(form, "time") : "";
  return {
    title: readField(form, "title"),
    game: readField(form, "game"),
    options: readOptions(find(`[data-board=${readField(form, "game")}]`, form)),
    system: /** @type {NewEvent["system"]} */ (readField(form, "system")),
    clock: JSON.parse(readField(form, "clock")),
    rounds: number("rounds"),
    minutes: number("minutes"),
    quorum: number("quorum"),
    starts: time ? new Date(time).getTime() : null,
    rated: readField(form, "rated") === "on",
    levels: readField(form, "levels")
      .split(/[\s,;]+/)
      .filter(Boolean)
      .map(Number),
  };
}

/** @param {HTMLFormElement} form */
async function make(form) {
  const message = find(".message", form);
  /** @type {EventShown | Refusal} */
  const made = await send("/api/tournaments", read(form));
  if (isRefusal(made)) {
    message.textContent = made.error;
    return;
  }
  if (readField(form, "joining") === "on") await send(`/api/tournaments/${made.id}/join`, {});
  location.assign(made.url);
}

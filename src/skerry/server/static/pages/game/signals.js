// Signals for somebody who looks elsewhere: the title and icon of the tab, and sounds.

import { notify } from "../../lib/alerts.js";
import { $, find } from "../../lib/page.js";
import { readText, writeText } from "../../lib/storage.js";
import { isYours } from "./state.js";
import { tellMoves, tellNews } from "./words.js";

/** @import { GameDocument } from "../../lib/types.js" */

const SOUND = "skerry:sound"; // whether there are any is remembered
const OFF = "off";
const LOUD = 0.15;
/** Pitches in hertz, one after the other. */
const TUNES = { move: [330], turn: [440, 660], end: [523, 659, 784] };
const NOTE = 0.09; // seconds

/** @typedef {keyof typeof TUNES} Tune */

/** @type {AudioContext | null} browsers let nothing be heard before somebody has touched the page */
let audio = null;

/**
 * A switch for sounds.
 *
 * @param {HTMLInputElement} sound
 */
export function listenToSound(sound) {
  const wake = () => {
    audio ??= new AudioContext();
  };
  document.addEventListener("pointerdown", wake, { once: true });
  document.addEventListener("keydown", wake, { once: true });
  sound.checked = readText(SOUND) !== OFF;
  sound.addEventListener("change", () => writeText(SOUND, sound.checked ? "" : OFF));
}

/**
 * Tell what has happened since, by whatever reaches whoever is here.
 *
 * @param {GameDocument} before
 * @param {GameDocument} game
 * @param {string} words how it stands now
 * @param {(text: string, how: "note") => void} say what is to be read beside the board
 */
export function signalChange(before, game, words, say) {
  const moves = tellMoves(before, game);
  if (moves) $("heard").textContent = moves;
  const news = tellNews(before, game);
  const isOwn = $("chat-text", HTMLInputElement).disabled; // what is being sent from here
  if (news && !isOwn) say(news, "note");
  const isEnd = game.to_move === null && before.to_move !== null;
  const isMine = isYours(game, game.to_move);
  const isTurn = isMine && game.ply > before.ply && !isYours(game, before.to_move);
  if (isEnd || isTurn) notify(game.title, words);
  if (isEnd) sound("end");
  else if (isTurn) sound("turn");
  else if (game.ply > before.ply) sound("move");
}

/** @param {Tune} tune */
function sound(tune) {
  if (!audio || readText(SOUND) === OFF) return;
  TUNES[tune].forEach((pitch, number) => {
    play(/** @type {AudioContext} */ (audio), pitch, number * NOTE * 1.2);
  });
}

/**
 * @param {AudioContext} context
 * @param {number} pitch
 * @param {number} delay seconds
 */
function play(context, pitch, delay) {
  const [tone, volume] = [context.createOscillator(), context.createGain()];
  const start = context.currentTime + delay;
  tone.type = "triangle";
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(LOUD, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 2 * NOTE); // fades like something struck
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + 2 * NOTE);
}

/**
 * What the tab says, and whether its icon asks for attention.
 *
 * @param {string} words
 * @param {string} title
 * @param {boolean} isMine
 */
export function markTab(words, title, isMine) {
  document.title = `${words} - ${title}`;
  const icon = find("link[rel=icon]", document.head, HTMLLinkElement);
  icon.dataset.calm ??= icon.href;
  const turn = find("link[data-turn]", document.head, HTMLLinkElement).href;
  const wanted = isMine ? turn : icon.dataset.calm;
  if (icon.href !== wanted) icon.href = wanted;
}

// Sounds: a few notes for whoever looks elsewhere.

import { readText, writeText } from "./storage.js";

const SOUND = "skerry:sound"; // whether there are any is remembered
const OFF = "off";
const LOUD = 0.15;
/** Pitches in hertz, one after the other. */
const TUNES = { move: [330], turn: [440, 660], end: [523, 659, 784], found: [523, 784, 1046] };
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

/** @param {Tune} tune */
export function sound(tune) {
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

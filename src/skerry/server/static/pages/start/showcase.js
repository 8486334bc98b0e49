// Boards that live: each shows a game of its kind, move by move, while it is in sight.

import { show } from "../../board/picture.js";
import { fetchFrame } from "../../lib/api.js";
import { readData } from "../../lib/page.js";
import { still, theme } from "../../lib/preferences.js";
import { wait } from "../../lib/time.js";

const [BETWEEN_MOVES, AT_THE_END] = [1700, 5000]; // milliseconds

const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    target.toggleAttribute("data-seen", isIntersecting);
  }
});

/**
 * Let a board live, unless nothing is to move or it shows what somebody has chosen.
 *
 * @param {HTMLElement} box
 */
export async function enliven(box) {
  sight.observe(box);
  if (still.matches) return;
  const isIdle = () => !box.hasAttribute("data-seen") || document.hidden || still.matches;
  const frames = Number(readData(box, "frames"));
  let at = Number(readData(box, "at"));
  for (;;) {
    await wait(at === frames - 1 ? AT_THE_END : BETWEEN_MOVES);
    if (isIdle() || box.hasAttribute("data-chosen")) continue;
    at = (at + 1) % frames;
    const frame = await fetchFrame(readData(box, "game"), at, theme());
    if (!frame) return;
    if (!box.hasAttribute("data-chosen")) show(box, frame.svg, frame.path);
  }
}

// The buttons for what can be done besides moving: those are shown that would not be refused.

import { $, findAll, readData } from "../../lib/page.js";
import { listDeeds } from "./state.js";

/** @import { GameDocument } from "../../lib/types.js" */

/** @param {GameDocument} game */
export function renderDeeds(game) {
  const deeds = listDeeds(game);
  for (const button of findAll(".bar [data-action]")) {
    button.hidden = !game.can.includes(readData(button, "action"));
  }
  $("takeback").hidden = !deeds.takeback;
  $("takeback").textContent = deeds.takebackWords;
  $("takeback-asked").hidden = !deeds.answerTakeback;
  $("offer-draw").hidden = !deeds.draw;
  $("draw-asked").hidden = !deeds.answerDraw;
  $("resign").hidden = !deeds.resign;
  $("rematch").hidden = !deeds.rematch;
  $("to-rematch").hidden = !game.rematch;
  if (game.rematch) $("to-rematch", HTMLAnchorElement).href = game.rematch;
  $("analyse").hidden = !deeds.analyse;
}

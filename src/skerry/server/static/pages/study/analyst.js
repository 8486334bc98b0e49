// The engine on the study page: switched on and off, thinking about the position that is looked at
// or reviewing the whole game. It does one thing at a time.

import { $ } from "../../lib/page.js";
import { Engine } from "./engine.js";
import { clearThoughts, noteWaiting, renderEnd, renderThoughts } from "./thoughts.js";

/** @import { EngineMessage, Inks, PositionDocument, Review, SeatTitle, Trial } from "../../lib/types.js" */
/** @import { Pointing } from "../../board/pointing.js" */

/**
 * @typedef {object} View what is looked at
 * @property {PositionDocument | null} shown the position, once the server has told it
 * @property {Trial} trial the moves that lead there
 * @property {SeatTitle[]} seats
 * @property {Inks} inks
 */

/**
 * @typedef {object} Page
 * @property {() => View} look
 * @property {(move: string) => unknown} play
 * @property {(review: Review) => void} reviewed
 * @property {(text: string) => void} say
 */

export class Analyst {
  /**
   * @param {Pointing} board
   * @param {Page} page
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    this.isThinking = false;
    this.isReviewing = false;
    this.progress = $("progress", HTMLProgressElement);
    this.heat = $("heat", HTMLInputElement);
    this.engine = new Engine(
      (message) => this.hear(message),
      (error) => this.lose(error),
    );
    this.heat.addEventListener("change", () => this.rest());
    $("engine").addEventListener("click", () => {
      if (this.isThinking && !this.isReviewing) this.engine.stop();
      this.toggle(!this.isThinking);
    });
  }

  /** @param {boolean} isThinking */
  toggle(isThinking) {
    this.isThinking = isThinking;
    $("engine").setAttribute("aria-pressed", String(isThinking));
    $("thoughts").hidden = !isThinking;
    if (isThinking) return void this.think();
    $("balance").hidden = true;
    this.rest();
  }

  /** Think about the position that is looked at now. */
  think() {
    const { shown, trial, ...look } = this.page.look();
    if (!this.isThinking || !shown) return;
    if (this.isReviewing) return void this.forget();
    this.page.say("");
    if (shown.to_move !== null) {
      noteWaiting();
      return void this.engine.analyse(trial);
    }
    this.engine.stop();
    this.forget();
    renderEnd(shown, look);
  }

  /** Until a review ends, no other can begin. */
  prepareReview() {
    this.isReviewing = true;
    $("review", HTMLButtonElement).disabled = true;
  }

  /** @param {string} study */
  review(study) {
    this.progress.hidden = false;
    this.progress.value = 0;
    this.engine.review(study);
  }

  endReview() {
    this.isReviewing = false;
    $("review", HTMLButtonElement).disabled = false;
    this.progress.hidden = true;
  }

  /** @param {EngineMessage} message */
  hear(message) {
    if (message.type === "analysis") this.show(message);
    if (message.type === "review") this.page.reviewed(message.review);
    if (message.type === "progress") {
      this.progress.max = message.of;
      this.progress.value = message.done;
    }
    if (message.type === "kept") {
      this.endReview();
      this.think();
    }
  }

  /** @param {import("../../lib/types.js").Analysis} analysis */
  show(analysis) {
    const { shown, trial, ...look } = this.page.look();
    if (shown === null || shown.to_move === null) return;
    renderThoughts(analysis, shown.to_move, look, (move) => {
      if (this.page.look().shown === shown) this.page.play(move);
    });
    this.board.box.classList.toggle("thinking", this.heat.checked);
    if (this.heat.checked) this.board.rest(analysis.svg);
  }

  /** @param {string} error */
  lose(error) {
    if (this.isThinking || this.isReviewing) this.page.say(error);
    this.endReview();
    this.toggle(false);
  }

  /** Nothing has been thought about this position. */
  forget() {
    clearThoughts();
    this.rest();
  }

  /** The board without what the engine thinks. */
  rest() {
    const { shown } = this.page.look();
    this.board.box.classList.remove("thinking");
    if (shown) this.board.rest(shown.svg);
  }
}

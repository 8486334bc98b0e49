// Boards that take moves: by mouse, touch, dragging and keyboard. The page supplies legal moves as
// paths of things to point at; the choice itself is made in selection.js.
//
//   const board = new Pointing(box, { play: async (move) => {} });
//   board.offer({ legal, directions, seats, mine });  // what may be pointed at; nothing unless mine
//   board.rest(svg, path);                            // the picture while nothing is chosen
// `selection` is what was pointed at, `ahead` what is to be played when one's turn comes. A whole move
// that waits is played by confirm() and given up by cancel(); clear() forgets it without another
// picture. What is pointed at while a move is on its way counts on the board that it leads to.

import { t } from "../lib/texts.js";
import { Hovering } from "./hovering.js";
import { Cursor, listenToHands } from "./input.js";
import { findPart, goesOn } from "./parts.js";
import {
  drawHandles,
  drawHints,
  measureCells,
  readScene,
  removeDecorations,
  show,
} from "./picture.js";
import { Planning } from "./planning.js";
import { isCell, NOTHING_DRAWN } from "./scene.js";
import { drag, listNext, NOTHING_CHOSEN, point } from "./selection.js";
import { makeChoice } from "./ways.js";
import { Zoom } from "./zoom.js";

/** @import { LegalMove, PreviewDocument } from "../lib/types.js" */
/** @import { Offer } from "./parts.js" */
/** @import { Selection, Transition } from "./selection.js" */

const LEAST_TARGET = 24; // pixels: what is smaller is easily missed by a finger
const TAP_AGAIN = t("Tap it again to play it.");

/**
 * @typedef {object} Page what a board asks of the page it is on
 * @property {(move: LegalMove) => unknown} play a whole move was pointed at
 * @property {(path: string[], signal: AbortSignal) => Promise<PreviewDocument | null>} [preview]
 *   what pointing at a path would do
 * @property {() => void} [changed] something else is chosen now
 * @property {(path: string[]) => void} [refused] no legal move begins with what was pointed at
 * @property {() => boolean} [ahead] whether a move may be chosen ahead of one's turn
 * @property {(text: string) => void} [tell] what everybody is to know about the choice
 * @property {(text: string) => void} [speak] for those who do not see the board
 * @property {() => boolean} [confirming] whether whole moves wait to be confirmed
 * @property {HTMLElement} [choices] gets buttons for what is no cell, such as a pass
 */

export class Pointing {
  /**
   * @param {HTMLElement} box
   * @param {Page} page
   */
  constructor(box, page) {
    this.box = box;
    this.page = page;
    /** @type {Offer} */
    this.offered = { legal: [], directions: {}, seats: [], mine: false };
    /** @type {Selection} */
    this.selection = NOTHING_CHOSEN;
    this.scene = NOTHING_DRAWN;
    this.ahead = new Planning(this);
    this.isTouched = false; // by the pointer that was used last
    this.zoom = new Zoom(box, (cell) => goesOn(this.offered, cell));
    this.cursor = new Cursor(box, () => this.scene);
    this.drawn = ""; // the picture that is shown
    this.resting = ""; // the picture while nothing is chosen
    /** @type {AbortController | null} for the preview that was asked for last */
    this.previewing = null;
    /** @type {Promise<unknown> | null} a move that is on its way */
    this.playing = null;
    this.hovering = new Hovering(this);
    listenToHands(this);
  }

  // --- what is shown

  /** @param {Offer} offered */
  offer(offered) {
    this.offered = offered;
    this.ahead.review();
    this.decorate();
    this.renderChoices();
  }

  /**
   * @param {string} svg
   * @param {readonly string[]} path
   */
  rest(svg, path = []) {
    this.resting = svg;
    if (this.isChoosing) this.decorate();
    else this.put(svg, path);
  }

  /**
   * Show a picture, unless it is the one that is there: presence and chat move no piece.
   *
   * @param {string} svg
   * @param {readonly string[]} path
   */
  put(svg, path = []) {
    if (svg !== this.drawn) {
      show(this.box, svg, path);
      this.scene = this.picture ? readScene(this.picture) : NOTHING_DRAWN;
      if (this.zoom.isZoomed) this.zoom.apply();
    }
    this.drawn = svg;
    this.decorate();
  }

  /** Take the picture away: the next one glides from nowhere. */
  empty() {
    this.box.replaceChildren();
    this.scene = NOTHING_DRAWN;
    this.drawn = "";
  }

  get picture() {
    return this.box.querySelector("svg");
  }

  get isChoosing() {
    return this.selection.chosen.length > 0 || this.selection.ready !== null;
  }

  decorate() {
    const { box, picture, offered, scene } = this;
    const { chosen, ready } = this.selection;
    removeDecorations(box);
    box.classList.toggle("mine", offered.mine);
    if (!picture) return;
    this.cursor.show();
    this.ahead.show(picture);
    if (!offered.mine || ready) return;
    const last = chosen.at(-1);
    if (last === undefined) drawHints(picture, scene, this.next());
    else drawHandles(picture, scene.cells.get(last), this.next(), offered.directions);
  }

  /** Everything that can be chosen next and is no cell: as buttons. */
  renderChoices() {
    const parts = this.offered.mine ? this.next() : [];
    const act = (/** @type {string} */ part) => () => this.whenSettled(() => this.point(part));
    this.page.choices?.replaceChildren(
      ...parts
        .filter((part) => !isCell(part))
        .map((part) => makeChoice(part, this.offered.directions[part], act(part))),
    );
  }

  // --- choosing

  next() {
    return listNext(this.offered.legal, this.selection);
  }

  /** @param {string} part */
  point(part) {
    if (!this.offered.mine) return void this.ahead.point(part);
    this.follow(point(this.offered.legal, this.selection, part, this.isConfirming));
  }

  /**
   * @param {string} from
   * @param {string} to
   */
  drag(from, to) {
    if (!this.offered.mine) return;
    const part = findPart(this.scene, this.offered, [from], to);
    this.follow(drag(this.offered.legal, this.selection, from, part, this.isConfirming));
  }

  get isConfirming() {
    return (this.page.confirming?.() ?? false) || this.isTiny;
  }

  /** Whether a finger is wider than what it points at: then nothing is played by one tap. */
  get isTiny() {
    return this.isTouched && measureCells(this.picture) < LEAST_TARGET;
  }

  /** @param {Transition} transition */
  follow({ selection, played, refused }) {
    if (played) this.play(played);
    else if (selection !== this.selection) {
      this.choose(selection);
      if (selection.ready && this.isTiny) this.page.tell?.(TAP_AGAIN);
    }
    if (refused) this.page.refused?.(refused);
  }

  /** @param {LegalMove} move */
  play(move) {
    this.clear();
    const playing = Promise.resolve(this.page.play(move)).finally(() => {
      if (this.playing === playing) this.playing = null;
    });
    this.playing = playing;
  }

  confirm() {
    if (this.selection.ready) this.play(this.selection.ready);
  }

  cancel() {
    this.ahead.clear();
    this.choose(NOTHING_CHOSEN);
  }

  clear() {
    this.previewing?.abort();
    this.selection = NOTHING_CHOSEN;
  }

  /**
   * Do something as soon as no move is on its way: until then it is unknown what may be done.
   *
   * @param {() => void} act
   */
  whenSettled(act) {
    if (this.playing) this.playing.then(() => this.whenSettled(act));
    else act();
  }

  /**
   * Show what was chosen so far.
   *
   * @param {Selection} selection
   */
  async choose(selection) {
    this.previewing?.abort();
    this.selection = selection;
    this.renderChoices();
    this.page.changed?.();
    if (!this.isChoosing) return void this.put(this.resting);
    this.previewing = new AbortController();
    const path = [...selection.chosen];
    let found = null;
    try {
      found = await this.page.preview?.(path, this.previewing.signal);
    } catch {
      return; // something else was chosen meanwhile
    }
    if (this.selection !== selection) return;
    if (!found) return void this.decorate();
    this.put(found.svg, path);
    this.page.speak?.(found.words);
  }

  /**
   * What pointing at a cell stands for now.
   *
   * @param {string} cell
   */
  findPart(cell) {
    if (!this.offered.mine) return this.ahead.findPart(cell);
    const { chosen, ready } = this.selection;
    if (!ready) return findPart(this.scene, this.offered, chosen, cell);
    // Whoever points at the end of a move that waits means that end, though it be a direction.
    const part = findPart(this.scene, this.offered, ready.path.slice(0, -1), cell);
    return part === ready.path.at(-1) ? part : cell;
  }
}

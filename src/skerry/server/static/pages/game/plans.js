// Planning answers on the board of the game: whoever waits plays for everybody, and keeps the line.

import { seenLook } from "../../board/sides.js";
import { fetchConditions, keepConditions, previewTrial, tryMoves } from "../../lib/api.js";
import { $, make, makeButton } from "../../lib/page.js";
import { explainTrial } from "../../lib/reasons.js";
import { isRefusal } from "../../lib/requests.js";
import { t } from "../../lib/texts.js";
import { addLine, askForMore, canPlan, isAnswered, tellPlanned, writeLine } from "./lines.js";

/** @import { Pointing } from "../../board/pointing.js" */
/** @import { BoardDocument, GameDocument, Ply, Trial } from "../../lib/types.js" */

/**
 * @typedef {object} Page what planning asks of the page it is on
 * @property {() => GameDocument} game
 * @property {(game: GameDocument) => void} receive the game has moved on
 * @property {(text: string, how?: string) => void} say
 * @property {() => void} render something else is to be seen
 */

export class Plans {
  /**
   * @param {Pointing} board
   * @param {Page} page
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    /** @type {Ply[][]} what is kept */
    this.lines = [];
    /** @type {Ply[]} what is being planned */
    this.line = [];
    /** @type {BoardDocument | null} where that leads; null while nothing is planned */
    this.position = null;
    this.look = ""; // in which its board was drawn
    this.usual = board.page; // what the board does while it shows the game
    $("plan").addEventListener("click", () => this.begin([]));
    $("plan-save").addEventListener("click", () => this.save());
    $("plan-back").addEventListener("click", () => this.go(this.texts.slice(0, -1)));
    $("plan-stop").addEventListener("click", () => this.stop());
  }

  get isOn() {
    return this.position !== null;
  }

  get texts() {
    return this.line.map(({ text }) => text);
  }

  /**
   * The game has gone on, perhaps by what was planned; ask what is left of it.
   *
   * @param {GameDocument} before
   */
  async refresh(before) {
    const game = this.page.game();
    const told = tellPlanned(before, game, this.lines);
    if (told) this.page.say(told, "note");
    const found = canPlan(game) ? await fetchConditions(game.id) : null;
    const isCurrent = this.page.game().ply === game.ply;
    if (isCurrent) this.show(found && !isRefusal(found) ? found.lines : []);
  }

  /** @param {Ply[][]} lines */
  show(lines) {
    this.lines = lines;
    const [seat = 0] = this.page.game().yours;
    $("plans").hidden = lines.length === 0;
    $("planned").replaceChildren(
      ...lines.map((line) => {
        const words = writeLine(line, seat);
        const texts = line.map(({ text }) => text);
        const title = t("Go on with this line on the board");
        const change = makeButton(words, () => this.begin(texts), { className: "line", title });
        const drop = () => this.keep(this.lines.filter((other) => other !== line));
        const remove = makeButton(t("Delete"), drop);
        remove.setAttribute("aria-label", t("Delete: {line}", { line: words }));
        return make("li", {}, change, remove);
      }),
    );
  }

  // --- on the board

  /** @param {string[]} texts */
  begin(texts) {
    if (!this.isOn) {
      this.board.cancel(); // what was chosen ahead is planned better
      this.board.page = {
        ...this.usual,
        play: ({ move }) => this.go([...this.texts, move]),
        preview: (path, signal) => previewTrial({ ...this.trial(this.texts), path }, signal),
        refused: (path) => this.explain(path),
        ahead: () => false,
      };
    }
    document.body.classList.add("planning");
    this.line = [];
    this.position = this.page.game();
    this.page.render();
    this.board.box.focus({ preventScroll: true });
    this.board.box.scrollIntoView({ block: "nearest" });
    if (texts.length) this.go(texts);
  }

  stop() {
    if (!this.isOn) return;
    this.position = null;
    this.board.page = this.usual;
    document.body.classList.remove("planning");
    this.board.clear();
    this.page.render();
  }

  /**
   * @param {string[]} moves
   * @returns {Trial}
   */
  trial(moves) {
    const game = this.page.game();
    const { game: name, options, position } = game;
    return { game: name, options, start: position, moves, ...seenLook(game), live: true };
  }

  /**
   * Show where moves lead from the game as it stands.
   *
   * @param {string[]} texts
   */
  async go(texts) {
    const found = await tryMoves(this.trial(texts));
    if (!this.isOn) return;
    if (isRefusal(found)) return void this.page.say(found.error);
    this.line = found.moves;
    this.position = found;
    this.look = lookOf(this.page.game());
    this.page.say("");
    this.page.render();
  }

  /** @param {string[]} path */
  async explain(path) {
    const answer = await explainTrial({ ...this.trial(this.texts), path });
    if (this.isOn) this.page.say(isRefusal(answer) ? answer.error : answer.reason);
  }

  /** The board as the line leaves it; whether there is one. */
  draw() {
    const { board, line } = this;
    const game = this.page.game();
    const position = line.length ? this.position : game;
    if (!this.isOn || !position) return false;
    if (line.length && this.look !== lookOf(game)) this.go(this.texts); // by night, or turned
    const { seats } = game;
    const { legal, directions, to_move: seat } = position;
    board.offer({ legal, directions, seats, mine: seat !== null, seat });
    board.rest(position.svg, line.at(-1)?.path);
    return true;
  }

  /** What to do next; empty while nothing is planned. */
  words() {
    return this.position ? askForMore(this.page.game(), this.position, this.line) : "";
  }

  /** @param {boolean} isLive whether the board shows the game as it stands */
  renderButtons(isLive) {
    const game = this.page.game();
    $("plan").hidden = this.isOn || !isLive || !canPlan(game);
    $("planning").hidden = !this.isOn;
    const isWhole = this.position !== null && isAnswered(game, this.position, this.line);
    $("plan-save", HTMLButtonElement).disabled = !isWhole;
    $("plan-back", HTMLButtonElement).disabled = this.line.length === 0;
  }

  // --- at the server

  async save() {
    const [seat = 0] = this.page.game().yours;
    const isKept = await this.keep(addLine(this.lines, this.line, seat));
    if (!isKept) return;
    this.stop();
    this.page.say(t("The line is saved, and is played for you if it comes to that."), "note");
  }

  /**
   * Keep these lines and no others; whether they are.
   *
   * @param {Ply[][]} lines
   */
  async keep(lines) {
    const game = this.page.game();
    const texts = lines.map((line) => line.map(({ text }) => text));
    const answer = await keepConditions(game.id, { version: game.version, lines: texts });
    if (!isRefusal(answer)) {
      this.show(answer.lines);
      return true;
    }
    if ("game" in answer && answer.game) this.page.receive(answer.game);
    this.page.say(answer.error);
    return false;
  }
}

/** @param {GameDocument} game */
function lookOf(game) {
  return JSON.stringify(seenLook(game));
}

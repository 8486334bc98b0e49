// The form for a new challenge.

import { makeChallenge } from "../../lib/lobby.js";
import { listEven, offerEven, readOptions, wantsEven } from "../../lib/newgame.js";
import { $, find, findAll, readData } from "../../lib/page.js";
import { t } from "../../lib/texts.js";

/** @import { ChallengeMade, NewChallenge, Refusal } from "../../lib/types.js" */

/** A dialog in which somebody says what to play, and with whom. */
export class ChallengeForm {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {(request: Promise<ChallengeMade | Refusal>) => Promise<string>} send tells why not
   */
  constructor(dialog, send) {
    this.dialog = dialog;
    this.send = send;
    this.form = find("form", dialog, HTMLFormElement);
    $("new").addEventListener("click", () => {
      $("wrong").textContent = "";
      this.adapt();
      dialog.showModal();
    });
    const to = new URLSearchParams(location.search).get("to"); // as profiles link here
    if (to) this.address(to);
    $("close").addEventListener("click", () => dialog.close());
    this.form.addEventListener("change", () => this.adapt());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /**
   * Challenge somebody.
   *
   * @param {string} name
   */
  address(name) {
    find("[name=audience]", this.form, HTMLSelectElement).value = "one";
    find("[name=to]", this.form, HTMLInputElement).value = name;
    this.adapt();
    this.dialog.showModal();
  }

  /** @param {string} name */
  read(name) {
    return String(new FormData(this.form).get(name) ?? "");
  }

  /** Show what there is to choose about the game, and about who may answer. */
  adapt() {
    const [game, audience] = [this.read("game"), this.read("audience")];
    const seats = find(`option[value=${game}]`, this.form).dataset.seats;
    for (const part of findAll("[data-for]", this.form)) part.hidden = part.dataset.for !== game;
    for (const part of findAll("label[data-audience]", this.form)) {
      part.hidden = !readData(part, "audience").split(" ").includes(audience);
    }
    for (const part of findAll("label[data-seats]", this.form)) {
      part.hidden = part.dataset.seats !== seats;
    }
    const board = find(`.fields[data-for=${game}]`, this.form);
    offerEven(this.listEven(game), readOptions(board));
  }

  /**
   * Where to ask for an even start of a game.
   *
   * @param {string} game
   */
  listEven(game) {
    return listEven(this.form).filter((field) => field.closest("label")?.dataset.for === game);
  }

  /** @returns {NewChallenge} */
  write() {
    const chosen = new FormData(this.form);
    const [game, audience] = [this.read("game"), this.read("audience")];
    const board = find(`.fields[data-for=${game}]`, this.form);
    const isShown = (/** @type {string} */ name) => {
      return !find(`label:has([name=${name}])`, this.form).hidden;
    };
    /** @type {NewChallenge} */
    const body = {
      game,
      options: readOptions(board),
      clock: JSON.parse(this.read("clock") || "null"),
      rated: chosen.has("rated"),
      swap: isShown("swap") && chosen.has("swap"),
      bots: chosen.has("bots"),
      audience: audience === "members" || audience === "rating" ? "members" : "everybody",
    };
    if (wantsEven(this.listEven(game))) body.even = true;
    const seat = this.read(`seat-${game}`);
    if (seat) body.seat = Number(seat);
    for (const bound of /** @type {const} */ (["low", "high"])) {
      if (audience === "rating" && this.read(bound)) body[bound] = Number(this.read(bound));
    }
    if (audience === "one") body.to = this.read("to");
    return body;
  }

  async submit() {
    const button = find("button[type=submit]", this.form, HTMLButtonElement);
    const wrong = $("wrong");
    if (this.read("audience") === "one" && !this.read("to").trim()) {
      wrong.textContent = t("Say who is challenged.");
      return;
    }
    button.disabled = true;
    wrong.textContent = await this.send(makeChallenge(this.write()));
    button.disabled = false;
    if (!wrong.textContent) this.dialog.close();
    else $("said").textContent = "";
  }
}

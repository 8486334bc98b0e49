// The form for a new game: filled in as last time, checked beside its fields, and shown as a board.

import { show } from "../../board/picture.js";
import { drawStart, formatOptions } from "../../lib/api.js";
import { keepChoice, lastChoice } from "../../lib/choices.js";
import { recallMe } from "../../lib/me.js";
import {
  listEven,
  listFields,
  offerEven,
  readOptions,
  startGame,
  wantsEven,
} from "../../lib/newgame.js";
import { find, findAll, readData } from "../../lib/page.js";
import { dark, theme } from "../../lib/preferences.js";
import { isRefusal } from "../../lib/requests.js";
import { language, t } from "../../lib/texts.js";

/** @import { NewGame } from "../../lib/types.js" */

const SETTLED = 250; // milliseconds after the last change
const NOTICED = 700; // milliseconds after which waiting needs a word
const SETTING_UP = t("Setting up the board … A new server takes some seconds for that, once.");
const OPTION = "option:"; // before the names of options, which may be those of other fields

/** A form, and the board beside it that shows what its options mean. */
export class GameForm {
  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement} box of the board; it lives while the board is the usual one
   */
  constructor(form, box) {
    this.form = form;
    this.box = box;
    this.game = readData(form, "game");
    this.options = listFields(form);
    this.words = find(".chosen", form);
    this.usual = { words: this.words.textContent ?? "", picture: [...box.childNodes] };
    this.pause = 0;
    this.asked = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { submitter } = event;
      this.begin(submitter instanceof HTMLButtonElement ? submitter.value : "engine");
    });
    for (const field of this.options) {
      field.addEventListener("input", () => {
        this.check(field);
        this.draw(SETTLED);
      });
    }
    this.rated = find("[name=rated]", form, HTMLInputElement);
    this.even = listEven(form);
    this.level = find("[name=level]", form, HTMLSelectElement);
    this.level.addEventListener("change", () => this.tellThinking());
    dark.addEventListener("change", () => this.draw());
    this.recall();
  }

  /** The fields that have a name, by it. */
  *fields() {
    for (const field of findAll("select[name], input[name]", this.form)) {
      if (field instanceof HTMLSelectElement || field instanceof HTMLInputElement) yield field;
    }
  }

  /** Choose as last time, as far as that is still on offer. */
  recall() {
    const choice = lastChoice(this.game);
    for (const field of this.fields()) {
      const value = choice[field.name];
      if (value === undefined) continue;
      if (field instanceof HTMLInputElement) field.checked = value === "on";
      else if ([...field.options].some((each) => each.value === value)) field.value = value;
    }
    for (const field of this.options) {
      field.value = choice[OPTION + readData(field, "option")] ?? field.value;
      if (!field.validity.valid) field.value = field.defaultValue;
    }
    for (const button of findAll("button[name=how]", this.form, HTMLButtonElement)) {
      const isLast = button.value === choice.how;
      button.classList.toggle("last", isLast);
      button.title = isLast ? t("What you chose last time") : "";
    }
    this.tellThinking();
    this.draw();
  }

  /** Say how long the chosen level thinks. */
  tellThinking() {
    const [level] = this.level.selectedOptions;
    if (level) find(".thinking", this.form).textContent = readData(level, "thinking");
  }

  /** @param {string} how */
  keep(how) {
    /** @type {Record<string, string>} */
    const choice = { how };
    for (const field of this.fields()) {
      const isOff = field instanceof HTMLInputElement && !field.checked;
      choice[field.name] = isOff ? "off" : field.value;
    }
    for (const field of this.options) {
      if (field.value !== field.defaultValue) {
        choice[OPTION + readData(field, "option")] = field.value;
      }
    }
    keepChoice(this.game, choice);
  }

  /**
   * Say beside an option what is wrong with it.
   *
   * @param {HTMLInputElement} field
   */
  check(field) {
    const { valid } = field.validity;
    const wrong = find(`#${field.id}-wrong`, this.form);
    const [low, high] = [field.min, field.max].map((bound) =>
      Number(bound).toLocaleString(language()),
    );
    const said = t("Choose a whole number from {low} to {high}.", {
      low: low ?? "",
      high: high ?? "",
    });
    wrong.textContent = valid ? "" : said;
    field.setAttribute("aria-invalid", String(!valid));
    return valid;
  }

  /** Whether all options can be; the first that cannot is brought to sight. */
  checkAll() {
    const wrong = this.options.filter((field) => !this.check(field))[0];
    if (wrong) {
      this.unfold();
      wrong.focus();
    }
    return !wrong;
  }

  unfold() {
    find("details", this.form, HTMLDetailsElement).open = true;
  }

  /**
   * Begin a game: against an engine, with a friend here, by a link, or to watch.
   *
   * @param {string} how
   */
  async begin(how) {
    const message = find(".ways + .message", this.form);
    message.textContent = "";
    if (!this.checkAll()) return;
    this.keep(how);
    const patience = setTimeout(() => {
      message.dataset.how = "note";
      message.textContent = SETTING_UP;
    }, NOTICED);
    const refused = await startGame(this.read(how));
    clearTimeout(patience);
    message.dataset.how = "";
    message.textContent = refused;
    if (refused && Object.keys(readOptions(this.form)).length) this.unfold();
  }

  /** @param {string} how */
  read(how) {
    const chosen = new FormData(this.form);
    const random = chosen.get("seat") === "random";
    const own = random ? 0 : Number(chosen.get("seat"));
    const engine = String(chosen.get("level"));
    const level = /^\d+$/.test(engine) ? `level:${engine}` : engine; // or one with a name
    const seats = Array.from({ length: Number(readData(this.form, "seats")) }, (_, seat) => {
      if (how === "watch") return level;
      if (how === "engine") return seat === own ? "person" : level;
      return "person";
    });
    /** @type {NewGame} */
    const body = {
      game: this.game,
      options: readOptions(this.form),
      seats,
      public: chosen.has("public"),
      random,
      swap: chosen.has("swap"),
    };
    if (how === "link") body.seat = own;
    if (wantsEven(this.even)) body.even = true;
    const isOffered = !find("label:has([name=rated])", this.form).hidden;
    const isAgainst = how === "link" || (how === "engine" && level.startsWith("level:"));
    if (isOffered && this.rated.checked && isAgainst) body.rated = true;
    const clock = String(chosen.get("clock") ?? "");
    if (clock) body.clock = JSON.parse(clock);
    return body;
  }

  /**
   * Show the board that the options make, once nothing has changed for a while.
   *
   * @param {number} pause
   */
  draw(pause = 0) {
    clearTimeout(this.pause);
    this.asked += 1;
    const options = readOptions(this.form);
    const isUsual = !Object.keys(options).length;
    find("label:has([name=rated])", this.form).hidden = !(isUsual && recallMe());
    offerEven(this.even, options);
    if (isUsual) this.showUsual();
    else if (this.options.every((field) => field.validity.valid)) {
      this.pause = setTimeout(() => this.fetch(formatOptions(options)), pause);
    }
  }

  showUsual() {
    if (this.box.hasAttribute("data-chosen")) this.box.replaceChildren(...this.usual.picture);
    this.box.removeAttribute("data-chosen");
    this.words.textContent = this.usual.words;
    this.words.classList.remove("message");
  }

  /** @param {string} options */
  async fetch(options) {
    const { asked } = this;
    const drawn = await drawStart(this.game, options, theme());
    if (asked !== this.asked) return; // something else was chosen meanwhile
    const isWrong = isRefusal(drawn);
    this.words.classList.toggle("message", isWrong);
    if (isWrong) {
      this.words.textContent = drawn.error;
      return;
    }
    this.box.setAttribute("data-chosen", "");
    show(this.box, drawn.svg);
    const cells = findAll(".cell", this.box, SVGElement).length;
    this.words.textContent = t("Board: {cells} {unit}", {
      cells,
      unit: readData(this.form, "unit"),
    });
  }
}

// What the engine thinks, told by the server while it thinks. One thing is asked for at a time: a
// new question takes the place of the one before.

import { openSocket } from "../../lib/requests.js";
import { t } from "../../lib/texts.js";

/** @import { EngineMessage, Trial } from "../../lib/types.js" */

const UNREACHABLE = t("The engine cannot be reached; try again in a moment.");

export class Engine {
  /**
   * @param {(message: EngineMessage) => void} hear gets what is found
   * @param {(words: string) => void} lose gets why nothing comes
   */
  constructor(hear, lose) {
    this.hear = hear;
    this.lose = lose;
    this.number = 0; // of the question
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {string | null} a question that waits for the connection */
    this.waiting = null;
  }

  /** @param {Trial} trial */
  analyse(trial) {
    this.ask({ type: "analyse", ...trial });
  }

  /** @param {string} study */
  review(study) {
    this.ask({ type: "review", study });
  }

  /** @param {object} question */
  ask(question) {
    this.number += 1;
    const text = JSON.stringify({ ...question, n: this.number });
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.connect(text);
  }

  stop() {
    this.number += 1;
    this.waiting = null;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send('{"type":"stop"}');
  }

  /** @param {string} text */
  connect(text) {
    this.waiting = text;
    if (this.socket?.readyState === WebSocket.CONNECTING) return;
    const socket = openSocket("/api/analysis");
    this.socket = socket;
    socket.addEventListener("open", () => {
      if (this.waiting) socket.send(this.waiting);
      this.waiting = null;
    });
    socket.addEventListener("message", (event) => {
      /** @type {EngineMessage} */
      const message = JSON.parse(event.data);
      if (message.n !== this.number) return; // about something that nobody looks at any more
      if (message.type === "error") this.lose(message.error);
      else this.hear(message);
    });
    socket.addEventListener("close", (event) => {
      this.waiting = null;
      this.lose(event.reason || UNREACHABLE);
    });
  }
}

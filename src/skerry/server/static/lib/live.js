// A live connection that comes back by itself.

import { openSocket } from "./requests.js";
import { Backoff } from "./time.js";

const [SHORTEST_PAUSE, LONGEST_PAUSE] = [500, 15_000]; // milliseconds between attempts

/**
 * A connection that is opened again whenever it is lost, after pauses that grow.
 *
 * @template Message
 */
export class Live {
  /**
   * @param {string} path
   * @param {object} page
   * @param {() => object} page.greet what to say whenever it is open
   * @param {(message: Message) => void} page.hear
   * @param {(isLost: boolean) => void} page.notice
   */
  constructor(path, page) {
    this.path = path;
    this.page = page;
    this.backoff = new Backoff(SHORTEST_PAUSE, LONGEST_PAUSE);
    /** @type {WebSocket | null} */
    this.socket = null;
    document.addEventListener("visibilitychange", () => this.greet());
  }

  connect() {
    const socket = openSocket(this.path);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.backoff.reset();
      this.greet();
      this.page.notice(false);
    });
    socket.addEventListener("message", (event) => this.page.hear(JSON.parse(event.data)));
    socket.addEventListener("close", () => {
      this.page.notice(true);
      // With jitter, so that not everybody comes back at one moment.
      setTimeout(() => this.connect(), this.backoff.next() * (0.75 + Math.random() / 2));
    });
  }

  /** Say who we are, how we like boards, and whether anybody sees us. */
  greet() {
    if (this.socket?.readyState !== WebSocket.OPEN) return;
    this.socket.send(JSON.stringify({ ...this.page.greet(), hidden: document.hidden }));
  }
}

// The look that this browser remembers, before anything is drawn: a page must not flash.
//
// A plain script in the head, and no module, since modules run when the page is there. The style
// sheets know one way to be dark: that the system asks for it. Where somebody has chosen, that
// condition is replaced by the choice. Whoever changes what is remembered tells by an event "look".

(() => {
  document.documentElement.dataset.scripted = "";
  const DARK = "(prefers-color-scheme: dark)";
  /** @type {CSSMediaRule[]} */
  const rules = [];
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (rule instanceof CSSMediaRule && rule.conditionText === DARK) rules.push(rule);
    }
  }

  /** @type {NodeListOf<HTMLMetaElement>} the colour of the window around the page, for each theme */
  const frames = document.querySelectorAll("meta[data-theme]");

  function read() {
    const { fixed } = document.documentElement.dataset; // what the page around us has chosen
    if (fixed) return { theme: fixed };
    try {
      return JSON.parse(localStorage.getItem("skerry:look") ?? "{}") ?? {};
    } catch {
      return {}; // storage is forbidden, or what is there makes no sense
    }
  }

  /**
   * When a theme holds, given when it is dark.
   *
   * @param {string | undefined} theme
   * @param {string} condition
   */
  function chooseMedia(theme, condition) {
    if (condition === DARK) return `(prefers-color-scheme: ${theme})`;
    return (theme === "dark") === (condition === "all") ? "all" : "not all";
  }

  /** @param {{ theme?: unknown, board?: unknown, pieces?: unknown, coordinates?: unknown }} look */
  function apply({ theme, board, pieces, coordinates }) {
    const root = document.documentElement;
    const condition = theme === "dark" ? "all" : theme === "light" ? "not all" : DARK;
    for (const rule of rules) rule.media.mediaText = condition;
    for (const frame of frames) frame.media = chooseMedia(frame.dataset.theme, condition);
    root.dataset.theme = condition === DARK ? "system" : String(theme);
    root.dataset.board = String(board ?? "");
    root.dataset.pieces = String(pieces ?? "");
    root.toggleAttribute("data-plain", coordinates === false);
  }

  /** Whether there will be games of yours on the page, for which room is kept. */
  function isSeated() {
    try {
      return Number(localStorage.getItem("skerry:ongoing")) > 0;
    } catch {
      return false;
    }
  }

  document.documentElement.toggleAttribute("data-seated", isSeated());
  apply(read());
  document.addEventListener("look", (event) => {
    apply(event instanceof CustomEvent ? event.detail : read());
  });
})();

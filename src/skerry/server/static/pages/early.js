// A button may be pressed before the scripts that answer it are there, on a slow telephone for
// seconds: such a click waits for them. A plain script in the head, as look.js is.

(() => {
  /** @type {HTMLElement | null} */
  let pressed = null;

  /** @param {Event} event */
  function keep(event) {
    if (!(event.target instanceof Element)) return;
    /** @type {HTMLElement | null} */
    const button = event.target.closest("button[type=button]:not([popovertarget])");
    if (!button) return;
    event.stopImmediatePropagation();
    pressed = button;
  }

  document.addEventListener("click", keep, true);
  // Modules have run by then.
  document.addEventListener("DOMContentLoaded", () => {
    document.removeEventListener("click", keep, true);
    pressed?.click();
  });
})();

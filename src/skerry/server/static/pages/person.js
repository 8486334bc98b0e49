// Somebody's page: follow them, block them, tell moderators about them.

import { fieldsOf, listenToForm } from "../lib/forms.js";
import { $, findAll, readData } from "../lib/page.js";
import { perform, tie } from "../lib/people.js";
import { isRefusal } from "../lib/requests.js";
import { t } from "../lib/texts.js";

/** @import { TieDocument } from "../lib/types.js" */

const WORDS = { follow: [t("Follow"), t("Following")], block: [t("Block"), t("Blocked")] };

const place = document.getElementById("ties");
if (place) {
  const name = readData(place, "name");
  const buttons = findAll("[data-tie]", place);
  const kindOf = (/** @type {HTMLElement} */ button) =>
    /** @type {"follow" | "block"} */ (readData(button, "tie"));

  /** @param {TieDocument} now */
  const show = (now) => {
    for (const button of buttons) {
      const isOn = kindOf(button) === "follow" ? now.followed : now.blocked;
      button.setAttribute("aria-pressed", String(isOn));
      button.textContent = WORDS[kindOf(button)][Number(isOn)] ?? "";
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", async () => {
      const isWanted = button.getAttribute("aria-pressed") !== "true";
      const now = await tie(name, kindOf(button), isWanted);
      if (isRefusal(now)) $("message").textContent = now.error;
      else show(now);
    });
  }
  listenToForm("report-form", async (form) => {
    const path = `/api/people/${encodeURIComponent(name)}/report`;
    const why = await perform(path, "POST", fieldsOf(form));
    if (why) return why;
    form.reset();
    $("report").hidePopover();
    const message = $("message");
    message.dataset.how = "note";
    message.textContent = t("Thank you. Moderators will look at it.");
    return "";
  });
}

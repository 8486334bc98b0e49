// The page of your games.

import { listenToAlerts } from "../lib/alerts.js";
import { showHeld } from "../lib/heldlist.js";
import { $ } from "../lib/page.js";
import { follow } from "../lib/yours.js";

showHeld($("yours"));
listenToAlerts($("notifying", HTMLInputElement), $("alerts-note"));
follow((games) => {
  $("none").hidden = games.length > 0;
});

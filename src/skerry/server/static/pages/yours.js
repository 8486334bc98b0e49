// The page of your games.

import { showHeld } from "../lib/heldlist.js";
import { $ } from "../lib/page.js";

showHeld($("yours"), (games) => {
  $("none").hidden = games.length > 0;
});

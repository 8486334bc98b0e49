// The page of your games.

import { showHeld } from "../lib/heldlist.js";
import { $ } from "../lib/page.js";
import { follow } from "../lib/yours.js";

showHeld($("yours"));
follow((games) => {
  $("none").hidden = games.length > 0;
});

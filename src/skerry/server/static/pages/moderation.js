// What people have reported, closed one by one.

import { fieldsOf } from "../lib/forms.js";
import { $, find, findAll, readData } from "../lib/page.js";
import { perform } from "../lib/people.js";

for (const item of findAll("[data-complaint]")) {
  const form = find("form", item, HTMLFormElement);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const path = `/api/complaints/${readData(item, "complaint")}/close`;
    const why = await perform(path, "POST", fieldsOf(form));
    $("message").textContent = why;
    if (!why) item.remove();
  });
}

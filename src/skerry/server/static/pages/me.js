// Who is signed in here, as this browser remembers it, before the header is seen: nothing jumps. A
// plain script, run where it stands. Whether it is still so is asked later, see lib/me.js.

(() => {
  try {
    const { name } = JSON.parse(localStorage.getItem("skerry:me") ?? "{}") ?? {};
    const link = document.getElementById("me");
    if (typeof name !== "string" || !name || !(link instanceof HTMLAnchorElement)) return;
    link.textContent = name;
    link.title = link.dataset.account ?? "";
    link.href = "/account";
  } catch {
    // Storage is forbidden, or what is there makes no sense: somebody who is a guest, then.
  }
})();

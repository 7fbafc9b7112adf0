/** The part of the script that shows search results while someone types, and runs the shortcuts. */
export const searchScript = `
const field = document.getElementById("find");
const found = document.getElementById("found");
const told = document.getElementById("found-told");

if (field && found && found.showPopover) {
  let waiting;
  let asked = new AbortController();
  const isOpen = () => found.matches(":popover-open");
  const close = () => { if (isOpen()) found.hidePopover(); };

  // The list is above the page, where no part of the frame cuts it off.
  const show = (results) => {
    found.replaceChildren(results);
    told.textContent = results.querySelector("[data-told]").textContent;
    const box = field.getBoundingClientRect();
    found.style.top = box.bottom + 4 + "px";
    found.style.left = Math.max(8, Math.min(box.left, innerWidth - 488)) + "px";
    if (!isOpen()) found.showPopover();
  };

  const ask = async (text) => {
    asked = new AbortController();
    const { signal } = asked;
    try {
      const reply = await fetch(field.form.action + "?q=" + encodeURIComponent(text), { signal });
      const page = new DOMParser().parseFromString(await reply.text(), "text/html");
      const results = page.querySelector("[data-results]");
      if (results) show(document.importNode(results, true));
      else close();
    } catch (error) {
      if (error.name !== "AbortError") close();
    }
  };

  const forget = () => {
    clearTimeout(waiting);
    asked.abort();
  };

  field.addEventListener("input", () => {
    forget();
    const text = field.value.trim();
    if (text.length < 2) close();
    else waiting = setTimeout(ask, 150, text);
  });

  field.form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen()) {
      event.preventDefault();
      close();
      field.focus();
    }
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (!isOpen()) return;
    event.preventDefault();
    // A late answer would take the list away below the focus.
    forget();
    const stops = [field, ...found.querySelectorAll("a")];
    const at = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
    stops[(at + stops.length) % stops.length].focus();
  });

  // A click elsewhere, or the tab key behind the last one, closes the list.
  field.form.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !field.form.contains(relatedTarget)) close();
  });
  addEventListener("pointerdown", ({ target }) => { if (!field.form.contains(target)) close(); });
}

const shortcuts = document.getElementById("shortcuts");
const list = () => { if (!shortcuts.open) shortcuts.showModal(); };

addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (ctrlKey || metaKey || altKey || event.isComposing) return;
  if (target.closest?.("input, textarea, select, [contenteditable], dialog[open]")) return;
  if (key === "/" && field) {
    event.preventDefault();
    field.focus();
    field.select();
  }
  if (key === "?" && shortcuts) list();
});

if (shortcuts) {
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href='#shortcuts'], #shortcuts a");
    if (!link || (shortcuts.contains(link) && !shortcuts.open)) return;
    event.preventDefault();
    if (shortcuts.contains(link)) shortcuts.close();
    else list();
  });
}
`.trimStart();

import { passkeyScript } from "../passkeys/passkey-script.ts";
import { searchScript } from "./search-script.ts";

/**
 * The only script of the dashboard. It shows search results while someone types, copies texts,
 * prints receipts, adds rows to lists, asks before unsaved text is lost, and removes the message
 * of a form from the address. All screens work without it. Browsers get this text unchanged.
 */
export const browserScript = `
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const label = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Browsers give the clipboard to pages on https only; this older call works everywhere.
      document.execCommand("copy");
    }
    button.textContent = button.dataset.copied;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

// Adds one more part to a list: a copy of its last one, with empty fields of names of their own.
for (const button of document.querySelectorAll("[data-add]")) {
  const list = button.closest("fieldset");
  const parts = () => list.querySelectorAll(button.dataset.add);
  const update = () => { button.hidden = parts().length >= Number(button.dataset.most); };
  update();
  button.addEventListener("click", () => {
    const last = [...parts()].at(-1);
    const copy = last.cloneNode(true);
    const rename = (text) => text.replace(/\\.\\d+\\./, "." + parts().length + ".");
    for (const each of copy.querySelectorAll("[name], [for]")) {
      if (each.htmlFor) each.htmlFor = rename(each.htmlFor);
      if (!each.name) continue;
      each.id = each.name = rename(each.name);
      if (each.type === "checkbox") each.checked = false;
      else if (each.options) each.selectedIndex = 0;
      else each.value = "";
    }
    last.after(copy);
    update();
    copy.querySelector("input").focus();
  });
}

// A reload and a bookmark must not repeat that something was done.
if (document.querySelector("[data-done]")) {
  const address = new URL(location.href);
  address.searchParams.delete("done");
  history.replaceState(null, "", address);
}

// What a form would send. Empty fields say nothing, and of a file its name is enough.
const contentOf = (form) =>
  JSON.stringify([...new FormData(form)]
    .map(([name, value]) => [name, value.name ?? value])
    .filter(([, value]) => value !== ""));

// A form that is shown again holds what was typed before, which is stored nowhere.
const wasRefused = document.querySelector("main [role=alert], [data-unsaved]") !== null;
const shown = new Map([...document.querySelectorAll("form[method=post]")]
  .map((form) => [form, contentOf(form)]));
const isUnsaved = (form) => !form.dataset.sent &&
  (contentOf(form) !== shown.get(form) || (wasRefused && form.matches(".fields")));

addEventListener("beforeunload", (event) => {
  if (![...shown.keys()].some(isUnsaved)) return;
  event.preventDefault();
  // Whoever stays may send the form again that they have just kept back.
  setTimeout(() => { for (const form of shown.keys()) delete form.dataset.sent; });
});

// A second click while the first one is on its way would be answered "already done".
for (const form of document.querySelectorAll("form[method=post]")) {
  form.addEventListener("submit", (event) => {
    if (event.submitter?.matches("[data-download]")) return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "yes";
  });
}

// The browser shows a page again as it was left, and its forms with it.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

${searchScript}${passkeyScript}`.trimStart();

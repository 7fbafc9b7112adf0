import { searchScript } from "./search-script.ts";
import { scriptEnglish } from "./texts/script-en.ts";
import { scriptPortuguese } from "./texts/script-pt.ts";

const scriptTexts = { en: scriptEnglish, pt: scriptPortuguese };

/**
 * The only script of the pages. It runs the copy buttons, the search and the forms
 * that try a call, and keeps the choice of a programming language. Browsers get this text
 * unchanged. A key that is typed in stays in the page's memory: it is never stored, and it is
 * sent to this API alone.
 */
export const browserScript = `
"use strict";

const language = document.documentElement.lang;
const texts = ${JSON.stringify(scriptTexts)}[language];

// All documents were one page once: an old address names a place that is on another page now.
const goOn = () => {
  const id = decodeURIComponent(location.hash.slice(1));
  const moved = id === "" ? null : document.getElementById(id);
  if (moved?.hasAttribute("data-moved")) location.replace(moved.querySelector("a").href);
};
goOn();
addEventListener("hashchange", goOn);

// The same place in the other language.
const otherLanguage = document.querySelector("a.language");
otherLanguage.addEventListener("click", () => (otherLanguage.hash = location.hash));

// A browser may refuse to store anything: the choice then lasts for the page.
const chosen = "vitrine-docs-samples";
const stored = (work) => {
  try {
    return work(localStorage);
  } catch {
    return null;
  }
};
const choices = [...document.querySelectorAll("input[name=language]")];
const kept = stored((storage) => storage.getItem(chosen));
for (const choice of choices) {
  if (choice.id === kept) choice.checked = true;
  choice.addEventListener("change", () =>
    stored((storage) => storage.setItem(chosen, choice.id)));
}

for (const button of document.querySelectorAll(".copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.closest(".sample").querySelector("code");
    try {
      await navigator.clipboard.writeText(code.textContent);
    } catch {
      // Browsers give the clipboard to pages on https only; this older call works everywhere.
      getSelection().selectAllChildren(code);
      document.execCommand("copy");
      getSelection().removeAllRanges();
    }
    button.textContent = texts.copied;
    setTimeout(() => (button.textContent = texts.copy), 2000);
  });
}

${searchScript}

const base = location.pathname.replace(/\\/docs(\\/[^/]*)?$/, "");
const keyFields = [...document.querySelectorAll(".try-key")];

const addressOf = (form, key) => {
  let path = form.dataset.path;
  const query = new URLSearchParams({ key });
  for (const { dataset, name, value } of form.elements) {
    if (dataset.in === "path") path = path.replace("{" + name + "}", encodeURIComponent(value));
    if (dataset.in === "query" && value !== "") query.set(name, value);
  }
  return base + path + "?" + query;
};

const send = async (form) => {
  const key = keyFields[0].value.trim();
  const status = form.querySelector(".try-status");
  const answer = form.querySelector(".try-answer");
  answer.hidden = true;
  if (!/^hk_test_pub_/.test(key)) {
    status.textContent = texts.wrong_key;
    return;
  }

  status.textContent = texts.sending;
  const body = form.querySelector("[data-in=body]")?.value;
  const headers = { Authorization: "Bearer " + key };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  // randomUUID exists on https and on localhost alone.
  if (form.dataset.keyed === "true")
    headers["Idempotency-Key"] = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
      byte.toString(16).padStart(2, "0")).join("");
  try {
    const { method } = form.dataset;
    const response = await fetch(addressOf(form, key), { method, headers, body });
    const text = await response.text();
    let shown = text;
    try {
      shown = JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      // An answer that is no JSON comes from a proxy, and is shown as it is.
    }
    status.textContent = texts.answered.replace("{status}", response.status);
    answer.textContent = shown;
    answer.hidden = false;
  } catch {
    status.textContent = texts.no_answer;
  }
};

for (const box of document.querySelectorAll(".try")) {
  box.hidden = false;
  box.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault();
    send(event.target);
  });
}
for (const field of keyFields)
  field.addEventListener("input", () => {
    for (const other of keyFields) if (other !== field) other.value = field.value;
  });
`.trim();

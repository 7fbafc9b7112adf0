import { foundTexts } from "./search-texts.ts";

/**
 * The only script of the pages. It runs the copy buttons, the search and the forms
 * that try a call. Browsers get this text unchanged. A key that is typed in stays in
 * the page's memory: it is never stored, and it is sent to this API alone.
 */
export const browserScript = `
"use strict";

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
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
}

const searchBox = document.querySelector(".search");
const links = [...document.querySelectorAll("nav li a")];
const simple = (text) => text.normalize("NFD").replace(/\\p{M}/gu, "").toLowerCase();

const textBehind = (link) => {
  if (link.pathname !== location.pathname) return "";
  return document.getElementById(decodeURIComponent(link.hash.slice(1)))?.textContent ?? "";
};

const mostExcerpts = 40;
const texts = ${JSON.stringify(foundTexts)};
const plurals = new Intl.PluralRules("en");
const foundText = (count) =>
  count === 0 ? texts.none : texts.found[plurals.select(count)].replace("{count}", count);

// Shows where the words stand, so that a reader need not open each place to see why it was found.
const excerptOf = (link, words) => {
  const title = link.textContent;
  const whole = textBehind(link).replace(/\\s+/g, " ").trim();
  const letters = [...(whole.startsWith(title) ? whole.slice(title.length) : whole)];
  // A letter stays at its place when its accent goes.
  const folded = letters.map((letter) => simple(letter)[0] ?? " ").join("");
  const [first] = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  if (first === undefined) return null;

  const from = first < 40 ? 0 : folded.indexOf(" ", first - 40) + 1;
  const end = folded.indexOf(" ", first + 80);
  const to = end < 0 ? letters.length : end;
  const excerpt = document.createElement("p");
  excerpt.className = "excerpt";
  excerpt.append(from > 0 ? "… " : "");
  for (let at = from; at < to; ) {
    const word = words.find((each) => folded.startsWith(each, at));
    const next = word ? at + word.length : at + 1;
    const text = letters.slice(at, next).join("");
    const mark = word ? document.createElement("mark") : null;
    mark?.append(text);
    excerpt.append(mark ?? text);
    at = next;
  }
  excerpt.append(to < letters.length ? " …" : "");
  excerpt.normalize();
  return excerpt;
};

const search = () => {
  const words = simple(document.getElementById("search").value).split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const old of document.querySelectorAll("nav .excerpt")) old.remove();
  for (const link of links) {
    link.searched ??= simple(link.textContent + " " + textBehind(link));
    const fits = words.every((word) => link.searched.includes(word));
    link.closest("li").hidden = !fits;
    if (!fits) continue;
    found += 1;
    const excerpt = words.length > 0 && found <= mostExcerpts ? excerptOf(link, words) : null;
    if (excerpt) link.after(excerpt);
  }
  for (const group of document.querySelectorAll("nav .group"))
    group.hidden = !group.nextElementSibling.querySelector("li:not([hidden])");
  document.getElementById("found").textContent = words.length === 0 ? "" : foundText(found);
};
if (searchBox && links.length > 0) {
  searchBox.hidden = false;
  searchBox.addEventListener("input", search);
  searchBox.addEventListener("keydown", (event) => {
    const first = links.find((link) => !link.closest("li").hidden);
    if (event.key === "Enter" && first) first.click();
  });
}

const base = location.pathname.replace(/\\/docs$/, "");
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
    status.textContent =
      "Only a publishable test key (hk_test_pub_…) is taken here. " +
      "Never type a secret or a live key into a page.";
    return;
  }

  status.textContent = "Sending…";
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
    status.textContent = "Answered with " + response.status;
    answer.textContent = shown;
    answer.hidden = false;
  } catch {
    status.textContent = "No answer: the API cannot be reached from this page.";
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

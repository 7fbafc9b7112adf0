import { fieldScript, judgeScript } from "../fields/judge-script.ts";

/**
 * The only script of the checkout page. It judges the fields, copies a text, writes times in the
 * buyer's zone, counts down and waits for the payment. Without it the page only waits for the
 * payment. Browsers get this text unchanged.
 */
export const browserScript = `
"use strict";

const main = document.querySelector("main");

${judgeScript}${fieldScript}
// The server's clock counts, because the buyer's may be wrong.
const behind = Number(main.dataset.now) - Date.now();

// A provider's element needs scripts: the server learns that they run here.
for (const field of document.querySelectorAll("[data-scripted]")) field.value = "1";

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const told = document.getElementById(button.dataset.copy + "-copied");
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Browsers give the clipboard to pages on https only; this older call works everywhere.
      document.execCommand("copy");
    }
    told.textContent = button.dataset.copied;
  });
}

// The page writes times in the store's zone, which is not always the buyer's.
const style = { day: "numeric", month: "long", hour: "numeric", minute: "2-digit" };
for (const place of document.querySelectorAll("[data-at]")) {
  const { at, locale, text } = place.dataset;
  const format = new Intl.DateTimeFormat(locale, { ...style, timeZoneName: "shortGeneric" });
  place.textContent = text.replace("{time}", () => format.format(Number(at)));
}

// The answer to a form says where to go next. Another address would cancel the form meanwhile.
let answerBy = 0;
document.addEventListener("submit", (event) => {
  if (!event.defaultPrevented) answerBy = Date.now() + 30000;
});
let isLeaving = false;
const goTo = (address) => {
  if (isLeaving || Date.now() < answerBy) return;
  isLeaving = true;
  location.replace(address);
};

for (const place of document.querySelectorAll("[data-until]")) {
  const tick = () => {
    const left = Math.ceil((Number(place.dataset.until) - Date.now() - behind) / 1000);
    setTimeout(tick, 1000);
    if (left < 0) return goTo(location.pathname);
    place.hidden = left * 1000 > Number(place.dataset.shown);
    const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const shown = parts.slice(parts[0] ? 0 : 1);
    const time = shown.map((part) => String(part).padStart(2, "0")).join(":");
    place.textContent = place.dataset.text.replace("{time}", time);
  };
  tick();
}

if (main.dataset.version) {
  const started = Date.now();
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    if (document.hidden) return;
    try {
      const answer = await fetch(location.pathname + "?poll", { cache: "no-store" });
      const { version } = await answer.json();
      if (version !== main.dataset.version) goTo(location.pathname + "?return");
    } catch {
      // The connection is lost or the server is restarting: the next look finds out.
    }
    timer = setTimeout(look, Date.now() - started < 120000 ? 3000 : 10000);
  };
  document.addEventListener("visibilitychange", look);
  timer = setTimeout(look, 3000);
}
`.trimStart();

import { type Html, html } from "../../contract/html.ts";
import { dayMs, minuteMs } from "../../domain/durations.ts";
import type { Scene } from "../scene.ts";
import { formatTime } from "../texts/format.ts";
import type { TextName } from "../texts/text-names.ts";

/** A time that is further away has no countdown: nobody waits for it on the page. */
const longestMs = dayMs;

/** The countdown of the time to pay appears only at its end, so that it hurries nobody before. */
export const lastMinutesMs = 10 * minuteMs;

/** Writes a text with a time of the store's zone, which the script turns into the buyer's. */
export function momentText(
  { language, view }: Scene,
  name: TextName & ("pay_until" | "open_until"),
  at: number,
): Html {
  const time = formatTime(at, { locale: language.locale, timezone: view.store.timezone });
  return html`<p class="soft centered" data-at="${at}" data-locale="${language.locale}"
data-text="${language.say(name)}">${language.say(name, { time })}</p>`;
}

/**
 * Renders a countdown to the time, which only the script fills in. `shownMs` is how long before
 * the time the countdown appears. When the time is over, the script reloads the page.
 */
export function countdown(
  { language, now }: Scene,
  until: number,
  shownMs = longestMs,
): Html | null {
  if (until <= now || until - now >= longestMs) return null;
  return html`<p class="time" hidden data-until="${until}" data-shown="${shownMs}"
data-text="${language.say("time_left")}"></p>`;
}

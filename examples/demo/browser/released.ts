import { el } from "./dom.ts";

const askEveryMs = 2_000;
const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
/** Holds what the last answer showed, with its times as the server writes them. */
let seen = "";
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Keeps the page of releases up to date with the receiver while the page is visible. */
export function startReleasedPage(): void {
  tellTimes();
  setInterval(() => {
    if (!document.hidden) void reload();
  }, askEveryMs);
}

async function reload(): Promise<void> {
  try {
    const text = await (await fetch(location.href)).text();
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("receiver");
    if (fresh !== null && fresh.innerHTML !== seen) show(fresh);
  } catch {
    // The demo was stopped. The page stays as it is, and asks again later.
  }
  tellTimes();
}

function show(fresh: HTMLElement): void {
  seen = fresh.innerHTML;
  const details = fresh.querySelector("details");
  if (details) details.open = el("receiver").querySelector("details")?.open ?? false;
  el("receiver").replaceChildren(...fresh.childNodes);
}

/** Writes each time relative to now, e.g. "2 minutes ago", and puts the whole time in its title. */
function tellTimes(): void {
  for (const time of document.querySelectorAll("time")) {
    const seconds = Math.round((Date.now() - Date.parse(time.dateTime)) / 1_000);
    const [unit, size] = units.find(([, least]) => seconds >= least) ?? [null, 1];
    time.title = new Date(time.dateTime).toLocaleString("en");
    time.textContent =
      unit === null ? "just now" : relative.format(-Math.floor(seconds / size), unit);
  }
}

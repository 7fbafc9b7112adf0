import { el } from "./dom.ts";

const askEveryMs = 2_000;
const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
/** What the last answer showed, with its times as the server writes them. */
let seen = "";
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** Keeps the page of releases as new as the receiver, while somebody looks at it. */
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
    // The demo was stopped: the page stays as it is, and asks again.
  }
  tellTimes();
}

function show(fresh: HTMLElement): void {
  seen = fresh.innerHTML;
  const details = fresh.querySelector("details");
  if (details) details.open = el("receiver").querySelector("details")?.open ?? false;
  el("receiver").replaceChildren(...fresh.childNodes);
}

/** Writes each time as seen from now, e.g. "2 minutes ago". The whole time is its title. */
function tellTimes(): void {
  for (const time of document.querySelectorAll("time")) {
    const seconds = Math.round((Date.now() - Date.parse(time.dateTime)) / 1_000);
    const [unit, size] = units.find(([, least]) => seconds >= least) ?? [null, 1];
    time.title = new Date(time.dateTime).toLocaleString("en");
    time.textContent =
      unit === null ? "just now" : relative.format(-Math.floor(seconds / size), unit);
  }
}

import { type Html, html, raw } from "../../contract/html.ts";
import { may } from "../access/access.ts";
import { below, inStore } from "../addresses.ts";
import { timeTag } from "../format.ts";
import { picture } from "../forms/pictures.ts";
import { messageOf } from "../forms/take-form.ts";
import type { Crumb, Section, StoreVisit, View, Visit } from "../screen.ts";
import { assetAddresses } from "../style/assets.ts";
import { icons } from "../style/icons.ts";
import { renderDocument } from "./document.ts";
import { breakable } from "./elements.ts";
import { searchField, shortcutsDialog, shortcutsLink } from "./find.ts";
import { isOffered, menu, openGroups } from "./menu.ts";

interface Frame {
  readonly section: Section | null;
  /** The value of the browser's form cookie, which seals the message of the last form. */
  readonly cookie: string;
}

const isOfStore = (visit: Visit): visit is StoreVisit => "store" in visit;

/** Renders a screen in the frame of the dashboard: menu, mode, way back, title. */
export async function renderPage(
  visit: Visit,
  view: View,
  { section, cookie }: Frame,
): Promise<string> {
  const { language, settings } = visit;
  const { say } = language;
  const message = await messageOf(visit, cookie);
  const where = isOfStore(visit) ? `${visit.store.name} · ` : "";

  const lead = view.lead === undefined ? null : html`<p class="lead">${view.lead}</p>`;
  const done =
    message === null
      ? null
      : html`<p class="notice good" role="status" data-done>${say(message)}</p>`;

  const fault =
    view.alert === undefined ? null : html`<p class="notice bad" role="alert">${view.alert}</p>`;

  const body = html`<body>
<a class="skip" href="#content">${say("skip")}</a>
${isOfStore(visit) ? await modeBar(visit) : null}
<div class="frame">
${isOfStore(visit) ? sideBar(visit, section) : globalBar(visit)}
<main id="content">
${crumbsOf(visit, view.crumbs ?? [])}
<header class="head"><div><h1>${breakable(view.title)}</h1>${lead}</div>
${view.primary ?? null}</header>
${done}${fault}
${view.body}
</main>
</div>${isOfStore(visit) ? shortcutsDialog(visit) : null}
</body>`;
  const title = `${view.title} · ${where}${say("dashboard")}`;
  return renderDocument({ title, lang: language.lang, files: assetAddresses(settings), body });
}

const contentEnd = "</main>";

/** Gives a page as bytes, with parts that come later at the end of its content. */
export async function* withParts(
  page: string,
  parts: AsyncIterable<Html>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const at = page.lastIndexOf(contentEnd);
  yield encoder.encode(page.slice(0, at));
  for await (const part of parts) yield encoder.encode(part.html);
  yield encoder.encode(page.slice(at));
}

/** Says that nothing here is real, and what time it is where the clock was turned. */
async function modeBar(visit: StoreVisit): Promise<Html | null> {
  const { livemode, language, parts, store, access } = visit;
  if (livemode) return null;

  const { now, offset_ms } = await parts.owner.testClock.retrieve(store.id);
  const time = offset_ms > 0 ? html` ${timeTag(visit, now)}` : null;
  const link = may(access, "test_clock.advance")
    ? html` <a href="${inStore(visit, ["test-clock"])}">${language.say("test_clock")}</a>`
    : null;
  return html`<aside class="mode-bar"
aria-label="${language.say("mode")}">${language.say("test_bar")}${time}${link}</aside>`;
}

function sideBar(visit: StoreVisit, section: Section | null): Html {
  const { store, language, settings, access } = visit;
  const { say } = language;
  const hasOthers = access.stores === "all" || access.stores.length > 1;
  const logo = picture(store.logo_url, 32, settings);

  return html`<header class="side">
<div class="side-head">
<a class="store" href="${inStore(visit)}">${
    logo ?? html`<span class="letter" aria-hidden="true">${[...store.name][0] ?? ""}</span>`
  }<span>${store.name}</span></a>
<button class="button menu-button" type="button" popovertarget="menu">${icons.menu}
<span class="unseen">${say("menu")}</span></button>
</div>
${modeSwitch(visit)}${searchField(visit)}
<nav id="menu" popover aria-label="${say("menu")}">${menuGroups(visit, section)}
<ul class="side-foot">${
    hasOthers
      ? html`<li><a href="${below(settings)}">${icons.stores}${say("all_stores")}</a></li>`
      : null
  }<li>${shortcutsLink(visit)}</li>
<li class="actor">${icons.person}<span>${access.actor}</span></li>${signOutLink(visit)}</ul>
</nav></header>`;
}

/** Renders the places of the menu. A group is open, or opens by its name. */
function menuGroups(visit: StoreVisit, section: Section | null): readonly Html[] {
  const { language, access, settings } = visit;
  const { say } = language;
  const open = openGroups(section);
  return menu.map(({ label, entries }) => {
    const links = entries.map(({ section: name, path, action }) => {
      if (!isOffered(name, settings) || (action && !may(access, action))) return html``;
      const current = name === section ? raw('aria-current="page"') : null;
      const address = inStore(visit, path === "" ? [] : [path]);
      const label = html`${icons[name]}${say(`section_${name}`)}`;
      return html`<li><a href="${address}" ${current}>${label}</a></li>`;
    });
    const list = html`<ul>${links}</ul>`;
    if (label === null) return list;
    return html`<details ${raw(open.has(label) ? "open" : "")}><summary>${say(label)}</summary>
${list}</details>`;
  });
}

/** Leads to the visitor's own passkeys, and out. A session of the host's own ends at the host. */
const signOutLink = ({ session, person, settings, language }: Visit): Html | null =>
  session === null
    ? null
    : html`${
        person &&
        html`<li><a
href="${below(settings, "passkeys")}">${icons.keys}${language.say("passkeys_own")}</a></li>`
      }<li><a
href="${below(settings, "sign-out")}">${icons.leave}${language.say("sign_out")}</a></li>`;

/**
 * Links to the same screen in the other mode, where it can stand there, and else to
 * its first screen.
 */
function modeSwitch(visit: StoreVisit): Html | null {
  const { language, livemode, parts } = visit;
  if (!parts.modes.live || !parts.modes.test) return null;

  const [first] = Object.values(visit.params);
  const rest = visit.path.split("/").slice(inStore(visit).split("/").length);
  const segments = first === undefined ? rest.map(decodeURIComponent) : [];
  const link = (mode: boolean, label: "live" | "test"): Html => {
    const current = mode === livemode ? raw('aria-current="true"') : null;
    const address = inStore({ ...visit, livemode: mode }, segments);
    return html`<a href="${address}" ${current}>${language.say(label)}</a>`;
  };
  return html`<div class="modes" role="group" aria-label="${language.say("mode")}">
${link(true, "live")}${link(false, "test")}</div>`;
}

const globalBar = (visit: Visit): Html => html`<header class="side global"><div class="side-head">
<a class="store" href="${below(visit.settings)}"><span class="letter" aria-hidden="true">V</span>
<span>${visit.language.say("dashboard")}</span></a></div>
<ul class="side-foot"><li class="actor">${icons.person}<span>${visit.access.actor}</span></li>
${signOutLink(visit)}</ul></header>`;

const crumbsOf = ({ language }: Visit, crumbs: readonly Crumb[]): Html | null =>
  crumbs.length === 0
    ? null
    : html`<nav class="crumbs" aria-label="${language.say("crumbs")}"><ol>${crumbs.map(
        ({ label, address }) => html`<li><a href="${address}">${label}</a></li>`,
      )}</ol></nav>`;

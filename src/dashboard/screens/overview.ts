import { type Html, html, raw } from "../../contract/html.ts";
import { inStore } from "../addresses.ts";
import { badge, card, facts } from "../elements.ts";
import { timeTag } from "../format.ts";
import type { TextName } from "../language.ts";
import type { Screen, StoreVisit } from "../screen.ts";

/** One step on the way to the first sale; it ticks itself. */
interface Step {
  readonly text: "product" | "method" | "address" | "key" | "webhook" | "on";
  readonly isDone: boolean;
  readonly path: string;
}

async function stepsOf({ parts, store, livemode }: StoreVisit): Promise<readonly Step[]> {
  const { owner } = parts;
  const { id } = store;
  const [products, methods, urls, keys, endpoints] = await Promise.all([
    owner.products.list(id, { limit: 1 }),
    owner.paymentMethods.list(id),
    owner.returnUrls.list(id),
    owner.keys.list(id),
    owner.endpoints.list({ store_id: id, livemode }),
  ]);
  const hasKey = keys.some((key) => key.livemode === livemode && key.revoked_at === null);
  return [
    { text: "product", isDone: products.data.length > 0, path: "products" },
    { text: "method", isDone: methods.some(({ enabled }) => enabled), path: "payment-methods" },
    { text: "address", isDone: urls.length > 0, path: "addresses" },
    { text: "key", isDone: hasKey, path: "keys" },
    { text: "webhook", isDone: endpoints.length > 0, path: "webhooks" },
    { text: "on", isDone: store.headless_enabled, path: "settings" },
  ];
}

function stepList(visit: StoreVisit, steps: readonly Step[]): Html {
  const { say } = visit.language;
  const done = steps.filter(({ isDone }) => isDone).length;
  const current = steps.findIndex(({ isDone }) => !isDone);
  const label = say("steps_done", { done, count: steps.length });

  return card(
    say("steps_title"),
    html`<p class="soft" id="steps-done">${label}</p>
<progress value="${done}" max="${steps.length}" aria-labelledby="steps-done"></progress>
<ol class="steps">${steps.map(({ text, isDone, path }, index) => {
      const mark = isDone ? html`<span class="unseen"> (${say("step_done")})</span>` : null;
      const kind = index === current ? "primary" : "small";
      const link = html`<a class="button ${kind}"
href="${inStore(visit, [path])}">${say(`step_${text}_go`)}</a>`;
      return html`<li ${raw(isDone ? 'class="ticked"' : "")}><div>
<h3>${say(`step_${text}`)}${mark}</h3>
${isDone ? null : html`<p>${say(`step_${text}_text`)}</p>`}</div>${isDone ? null : link}</li>`;
    })}</ol>`,
  );
}

/** What needs the owner: endpoints that were disabled, and the newest alerts. */
async function attention(visit: StoreVisit): Promise<Html> {
  const { parts, store, livemode, language } = visit;
  const { say } = language;
  const [endpoints, alerts] = await Promise.all([
    parts.owner.endpoints.list({ store_id: store.id, livemode }),
    parts.owner.alerts.list(store.id, { limit: 5 }),
  ]);
  const failing = endpoints.filter(({ disabled_reason }) => disabled_reason === "failing");
  const own = alerts.data.filter((alert) => alert.livemode === livemode);

  const entries = [
    ...failing.map(
      ({ id, url }) => html`<li>${badge("bad", say("state_failing"))}
<a href="${inStore(visit, ["webhooks", id])}">${url}</a></li>`,
    ),
    ...own.map(
      ({ type, subject, created_at }) =>
        html`<li>${badge("warn", type)} <code>${subject}</code> ${timeTag(visit, created_at)}</li>`,
    ),
  ];
  return card(
    say("attention_title"),
    entries.length === 0
      ? html`<p class="soft">${say("attention_none")}</p>`
      : html`<ul class="plain-list">${entries}</ul>`,
  );
}

/** What the shop sells by, in short. */
function storeState(visit: StoreVisit): Html {
  const { store, language } = visit;
  const { say } = language;
  const state: readonly [tone: "good" | "warn" | "plain", name: TextName] = store.maintenance
    ? ["warn", "state_maintenance"]
    : store.headless_enabled
      ? ["good", "state_on"]
      : ["plain", "state_off"];
  return badge(state[0], say(state[1]));
}

/** By which money, words and clock the store sells. */
function about(visit: StoreVisit): Html {
  const { store, language } = visit;
  const { say } = language;
  const settings = html`<a href="${inStore(visit, ["settings"])}">${say("section_settings")}</a>`;
  return card(
    say("menu_store"),
    html`${facts([
      [say("currency"), store.currency],
      [say("store_locale"), store.locale],
      [say("store_timezone"), store.timezone],
      [say("id"), html`<code>${store.id}</code>`],
    ])}<p>${settings}</p>`,
  );
}

export const overviewScreen: Screen = {
  path: "",
  section: "overview",
  action: null,

  async show(visit) {
    const steps = await stepsOf(visit);
    const isReady = steps.every(({ isDone }) => isDone);
    const parts = [isReady ? null : stepList(visit, steps), await attention(visit), about(visit)];
    return {
      title: visit.language.say("section_overview"),
      lead: storeState(visit),
      body: html`<div class="cards">${parts.flatMap((part) => part ?? [])}</div>`,
    };
  },
};

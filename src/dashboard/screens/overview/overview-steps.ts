import { type Html, html, raw } from "../../../contract/html.ts";
import { createSeenNames } from "../../../domain/text/seen-names.ts";
import type { DashboardAction } from "../../../owner/actions.ts";
import type { Endpoint } from "../../../owner/webhooks/shown-endpoint.ts";
import { may } from "../../access/access.ts";
import { inStore } from "../../addresses.ts";
import { card } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";

/** A step on the way to the first sale. It shows as done once it is done. */
interface Step {
  readonly text: "product" | "method" | "address" | "key" | "webhook" | "on";
  readonly isDone: boolean;
  readonly path: string;
  /** Whoever has this right is led to the form of a new record, and others to the list. */
  readonly create?: DashboardAction;
}

const ready = createSeenNames(10_000);

/**
 * Lists the steps that are left in the visited mode, with those that are done; nothing
 * once all are done. They are not looked up again after that, in this process.
 */
export async function stepsToFirstSale(
  visit: StoreVisit,
  endpoints: Promise<readonly Endpoint[]>,
): Promise<readonly Step[]> {
  const { parts, store, livemode } = visit;
  const name = `${store.id} ${livemode}`;
  if (ready.has(parts.store, name)) return [];

  const steps = await stepsOf(visit, endpoints);
  if (!steps.every(({ isDone }) => isDone)) return steps;
  ready.add(parts.store, name);
  return [];
}

async function stepsOf(
  { parts, store, livemode }: StoreVisit,
  endpointsOfMode: Promise<readonly Endpoint[]>,
): Promise<readonly Step[]> {
  const { owner } = parts;
  const { id } = store;
  const [products, methods, urls, keys, endpoints] = await Promise.all([
    owner.products.list(id, { limit: 1 }),
    owner.paymentMethods.list(id),
    owner.returnUrls.list(id),
    owner.keys.list(id),
    endpointsOfMode,
  ]);
  const hasKey = keys.some((key) => key.livemode === livemode && key.revoked_at === null);
  return [
    {
      text: "product",
      isDone: parts.hasHostCatalog || products.data.length > 0,
      path: "products",
      create: "products.create",
    },
    {
      text: "method",
      isDone: methods.some(({ enabled }) => enabled),
      path: "payment-methods",
      create: "payment_methods.create",
    },
    { text: "address", isDone: urls.length > 0, path: "addresses" },
    { text: "key", isDone: hasKey, path: "keys", create: "keys.create" },
    {
      text: "webhook",
      isDone: endpoints.length > 0,
      path: "webhooks",
      create: "endpoints.create",
    },
    { text: "on", isDone: store.headless_enabled, path: "settings" },
  ];
}

/** Gives the address at which a step is done. */
function addressOf(visit: StoreVisit, { path, create }: Step): string {
  const isForm = create !== undefined && may(visit.access, create);
  return inStore(visit, isForm ? [path, "new"] : [path]);
}

export function stepList(visit: StoreVisit, steps: readonly Step[]): Html {
  const { say, sayCount } = visit.language;
  const done = steps.filter(({ isDone }) => isDone).length;
  const current = steps.findIndex(({ isDone }) => !isDone);
  const label = sayCount("steps_done", done, { all: String(steps.length) });

  return card(
    say("steps_title"),
    html`<p class="soft" id="steps-done">${label}</p>
<progress value="${done}" max="${steps.length}" aria-labelledby="steps-done"></progress>
<ol class="steps">${steps.map((step, index) => {
      const { text, isDone } = step;
      const mark = isDone ? html`<span class="unseen"> (${say("step_done")})</span>` : null;
      const kind = index === current ? "primary" : "small";
      const link = html`<a class="button ${kind}"
href="${addressOf(visit, step)}">${say(`step_${text}_go`)}</a>`;
      return html`<li ${raw(isDone ? 'class="ticked"' : "")}><div>
<h3>${say(`step_${text}`)}${mark}</h3>
${isDone ? null : html`<p>${say(`step_${text}_text`)}</p>`}</div>${isDone ? null : link}</li>`;
    })}</ol>`,
  );
}

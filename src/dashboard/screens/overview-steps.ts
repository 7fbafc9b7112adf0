import { type Html, html, raw } from "../../contract/html.ts";
import { inStore } from "../addresses.ts";
import { card } from "../elements.ts";
import type { StoreVisit } from "../screen.ts";

/** A step on the way to the first sale. It shows as done once it is done. */
interface Step {
  readonly text: "product" | "method" | "address" | "key" | "webhook" | "on";
  readonly isDone: boolean;
  readonly path: string;
}

export async function stepsOf({ parts, store, livemode }: StoreVisit): Promise<readonly Step[]> {
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

export function stepList(visit: StoreVisit, steps: readonly Step[]): Html {
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

import { verifyWebhook, type WebhookEvent } from "vitrine/webhooks";
import { type Html, html, page } from "./html.ts";

export interface Release {
  readonly event_id: string;
  readonly event_type: string;
  readonly order_number: number;
  /** Names the buyer, and the store that sold to them. */
  readonly buyer: string;
  readonly store: string;
  readonly items: readonly string[];
  readonly received_at: string;
}

export interface Receiver {
  /** These are the valid secrets, one for each endpoint with this address. */
  secrets: readonly string[];
  /** It gives the names of the stores by their ids. */
  stores: ReadonlyMap<string, string>;
  handle(
    rawBody: Uint8Array,
    header: string | undefined,
  ): Promise<{ status: number; text: string }>;
  released(): readonly Release[];
  render(): string;
}

interface SeenEvent {
  readonly type: string;
  readonly at: string;
  repeats: number;
}

const maxShown = 50;

/**
 * Makes a receiver as an integrator writes it. It verifies each event, ignores
 * repeats, and releases the product only on `order.paid`.
 */
export function createReceiver(): Receiver {
  const releases: Release[] = [];
  const seen = new Map<string, SeenEvent>();

  const receiver: Receiver = {
    secrets: [],
    stores: new Map(),
    async handle(rawBody, header) {
      const verdict = await verifyWebhook({ rawBody, header, secret: receiver.secrets });
      if (!verdict.ok) return { status: 400, text: verdict.reason };
      const { event } = verdict;
      const known = seen.get(event.id);
      if (known) {
        known.repeats += 1;
        return { status: 200, text: "seen before" };
      }

      // The product is released before the event is marked as seen. Otherwise, after a failed
      // release, the repeat would be ignored and the buyer would never get the product.
      release(event);
      seen.set(event.id, { type: event.type, at: new Date().toISOString(), repeats: 0 });
      return { status: 200, text: "thank you" };
    },
    released: () => releases,
    render: () => page("Released", renderReceiver(releases, seen)),
  };

  function release(event: WebhookEvent): void {
    if (event.type !== "order.paid") return;
    const { order } = event.data;
    const { name, email } = order.customer;
    releases.unshift({
      event_id: event.id,
      event_type: event.type,
      order_number: order.number,
      buyer: name ?? email ?? "a buyer without a name",
      store: receiver.stores.get(event.store_id) ?? event.store_id,
      items: order.items.map((item) => `${item.quantity} × ${item.name}`),
      received_at: new Date().toISOString(),
    });
  }
  return receiver;
}

/**
 * Renders each event once. It stands with the order that it released, or in the
 * list of the others.
 */
function renderReceiver(releases: readonly Release[], seen: ReadonlyMap<string, SeenEvent>): Html {
  const released = new Set(releases.map(({ event_id }) => event_id));
  const others = [...seen].filter(([id]) => !released.has(id)).reverse();
  const none = html`<p class="card">Nothing yet. Buy something and pay it on the checkout page.</p>`;
  const orders = html`<ul class="list" id="released">${releases.map((release) => orderRow(release, seen.get(release.event_id)))}</ul>`;
  return html`<div data-page="released" class="narrow"><h1>Released orders</h1>
<p class="note">The webhook receiver lets an order go when it has verified the signature of <code>order.paid</code>. This page follows it by itself.</p>
<div id="receiver">${releases.length === 0 ? none : orders}
<details><summary>Other verified events: ${others.length}</summary>
<ul class="list" id="events">${others.slice(0, maxShown).map(eventRow)}</ul></details></div></div>`;
}

const orderRow = (release: Release, event: SeenEvent | undefined): Html =>
  html`<li class="card"><h2>Order ${release.order_number} of ${release.buyer}</h2>
<p>${release.items.join(", ")}</p>
<p class="note">${release.store} · released ${moment(release.received_at)}${repeats(event)}</p></li>`;

const eventRow = ([id, event]: readonly [string, SeenEvent]): Html =>
  html`<li><code>${event.type}</code> <span class="note">${moment(event.at)} · ${id}${repeats(event)}</span></li>`;

const repeats = (event: SeenEvent | undefined): string => {
  const count = event?.repeats ?? 0;
  return count === 0 ? "" : ` · ${count} ${count === 1 ? "repeat" : "repeats"} ignored`;
};

const whole = new Intl.DateTimeFormat("en", {
  dateStyle: "medium",
  timeStyle: "short",
  timeZone: "UTC",
});

/** Writes a time in UTC, which the script of the page replaces with a time relative to now. */
const moment = (at: string): Html =>
  html`<time datetime="${at}">${whole.format(new Date(at))} UTC</time>`;

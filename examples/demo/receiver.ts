import { verifyWebhook, type WebhookEvent } from "vitrine/webhooks";
import { type Html, html, page } from "./html.ts";

export interface Release {
  readonly event_id: string;
  readonly event_type: string;
  readonly order_number: number;
  readonly items: readonly string[];
  readonly received_at: string;
}

export interface Receiver {
  /** The valid secrets: one for each endpoint with this address. */
  secrets: readonly string[];
  handle(
    rawBody: Uint8Array,
    header: string | undefined,
  ): Promise<{ status: number; text: string }>;
  released(): readonly Release[];
  render(): string;
}

/**
 * A receiver as an integrator writes it. It verifies each event, ignores repeats, and releases the
 * product only on `order.paid`.
 */
export function createReceiver(): Receiver {
  const seen = new Set<string>();
  const releases: Release[] = [];
  const events: { type: string; id: string; at: string; repeats: number }[] = [];

  const receiver: Receiver = {
    secrets: [],
    async handle(rawBody, header) {
      const verdict = await verifyWebhook({ rawBody, header, secret: receiver.secrets });
      if (!verdict.ok) return { status: 400, text: verdict.reason };
      const { event } = verdict;
      if (seen.has(event.id)) {
        const known = events.find((entry) => entry.id === event.id);
        if (known) known.repeats += 1;
        return { status: 200, text: "seen before" };
      }
      // The product is released before the event is marked as seen. Otherwise, after a failed
      // release, the repeat would be ignored and the buyer would never get the product.
      release(event);
      seen.add(event.id);
      events.unshift({ type: event.type, id: event.id, at: new Date().toISOString(), repeats: 0 });
      return { status: 200, text: "thank you" };
    },
    released: () => releases,
    render: () =>
      page(
        "Released",
        html`<h1>Released products</h1><p class="note">What the webhook receiver let go, after it had verified the signature of <code>order.paid</code>. This page loads itself anew.</p>
${releases.length === 0 ? html`<p class="card">Nothing yet. Buy something and pay it on the checkout page.</p>` : html`<ul class="list" id="released">${releases.map(row)}</ul>`}
<h2>Verified events</h2><ul class="list" id="events">${events.slice(0, 50).map((event) => html`<li class="card"><strong>${event.type}</strong> <span class="note">${event.id} · ${event.at}${event.repeats > 0 ? html` · ${event.repeats} repeats ignored` : null}</span></li>`)}</ul>`,
        html`<meta http-equiv="refresh" content="2">`,
      ),
  };

  function release(event: WebhookEvent): void {
    if (event.type !== "order.paid") return;
    const { order } = event.data;
    releases.unshift({
      event_id: event.id,
      event_type: event.type,
      order_number: order.number,
      items: order.items.map((item) => `${item.quantity} × ${item.name}`),
      received_at: new Date().toISOString(),
    });
  }
  return receiver;
}

const row = (release: Release): Html =>
  html`<li class="card"><strong>Order ${release.order_number}</strong> ${release.items.join(", ")} <span class="note">${release.event_type} · ${release.received_at}</span></li>`;

import { type Html, html } from "../../../contract/html.ts";
import type { OwnerTimelineEntry } from "../../../owner/sales/order-timeline.ts";
import type { OwnerOrder } from "../../../owner/sales/orders.ts";
import type { Delivery } from "../../../owner/webhooks/deliveries.ts";
import { inStore } from "../../addresses.ts";
import { amountText, timeTag } from "../../format.ts";
import { badge, buttonForm, notice, type Tone } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { deliveryBadge } from "../developers/deliveries.ts";
import { attemptBadge, declineText, disputeBadge, refundBadge } from "./money-badges.ts";
import { moneyBadge } from "./order-money.ts";

interface Told {
  readonly tone: Tone;
  readonly text: Html | string;
  /** Stands below the text. */
  readonly more?: Html | null;
}

/** Holds what the entries of an order's history need. */
interface Context {
  readonly visit: StoreVisit;
  readonly order: OwnerOrder;
  /** Holds the deliveries of each event. */
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  /** Holds the addresses of the endpoints by their ids. */
  readonly urls: ReadonlyMap<string, string>;
}

/** Says of each open dispute what is to be done, and until when. */
export const disputeNotices = (
  visit: StoreVisit,
  entries: readonly OwnerTimelineEntry[],
): readonly Html[] =>
  entries.flatMap((entry) => {
    if (entry.type !== "dispute" || entry.dispute.status !== "open") return [];
    const { say } = visit.language;
    const { amount, currency, due_by } = entry.dispute;
    const text = say("dispute_answer", { amount: amountText(visit, amount, currency) });
    const due = due_by === null ? null : html` ${say("due_by")}: ${timeTag(visit, due_by)}`;
    return [notice("bad", html`${text}${due}`)];
  });

/** Lists all that happened to an order, the newest first. Deliveries stand below their event. */
export function historyList(
  visit: StoreVisit,
  order: OwnerOrder,
  entries: readonly OwnerTimelineEntry[],
  urls: ReadonlyMap<string, string>,
): Html {
  const deliveries = new Map<string, Delivery[]>();
  for (const entry of entries)
    if (entry.type === "delivery") {
      const { event_id } = entry.delivery;
      deliveries.set(event_id, [...(deliveries.get(event_id) ?? []), entry.delivery]);
    }

  const context = { visit, order, deliveries, urls };
  const lines = entries.toReversed().flatMap((entry) => {
    const told = tell(context, entry);
    if (told === null) return [];
    return html`<li class="${told.tone}"><div>${told.text}${told.more ?? null}</div>
${timeTag(visit, entry.at)}</li>`;
  });
  return html`<ol class="timeline">${lines}</ol>`;
}

/** Describes one entry. Gives null for a delivery, because its event shows it. */
function tell(context: Context, entry: OwnerTimelineEntry): Told | null {
  const { visit, order } = context;
  const { say } = visit.language;
  switch (entry.type) {
    case "order_created":
      return { tone: "plain", text: say("history_created") };
    case "order_paid":
      return { tone: "good", text: say("history_paid") };
    case "attempt":
      return tellAttempt(visit, entry.attempt);
    case "payment": {
      const { amount, currency, gateway, state, payment_reference } = entry.payment;
      const text = say("history_money", { amount: amountText(visit, amount, currency), gateway });
      const more = html`<small><code>${payment_reference}</code></small>`;
      return { tone: "good", text: html`${text} ${moneyBadge(visit, state)}`, more };
    }
    case "refund": {
      const { amount, status, reason, failure_reason } = entry.refund;
      const text = say("history_refund", { amount: amountText(visit, amount, order.currency) });
      const more = [reason, failure_reason].flatMap((line) => (line === null ? [] : small(line)));
      return { tone: "plain", text: html`${text} ${refundBadge(visit, status)}`, more: join(more) };
    }
    case "dispute": {
      const { amount, currency, status, reason, due_by } = entry.dispute;
      const text = say("history_dispute", { amount: amountText(visit, amount, currency) });
      const due =
        due_by === null ? [] : [html`<small>${say("due_by")}: ${timeTag(visit, due_by)}</small>`];
      const more = [...(reason === null ? [] : [small(reason)]), ...due];
      const tone = status === "open" ? "bad" : "plain";
      return { tone, text: html`${text} ${disputeBadge(visit, status)}`, more: join(more) };
    }
    case "note":
      return {
        tone: "plain",
        text: html`<strong>${say("note")}</strong>`,
        more: html`<p class="note">${entry.note.text}</p>`,
      };
    case "event":
      return tellEvent(context, entry.event);
    case "delivery":
      return null;
  }
}

const small = (text: string): Html => html`<small>${text}</small>`;
const join = (parts: readonly Html[]): Html => html`${parts}`;

type Attempt = Extract<OwnerTimelineEntry, { type: "attempt" }>["attempt"];

function tellAttempt(visit: StoreVisit, attempt: Attempt): Told {
  const { say } = visit.language;
  const { amount, currency, gateway, state, failure_code, decline_code, reference } = attempt;
  const text = say("history_attempt", { amount: amountText(visit, amount, currency), gateway });
  const reason = failure_code === null ? null : badge("plain", say(`failure_${failure_code}`));
  return {
    tone: "plain",
    text: html`${text} ${attemptBadge(visit, state)} ${reason}`,
    more: html`${declineText(visit, decline_code)}${
      reference === null ? null : html`<small><code>${reference}</code></small>`
    }`,
  };
}

type TimelineEvent = Extract<OwnerTimelineEntry, { type: "event" }>["event"];

/** Describes an event and its deliveries to endpoints. */
function tellEvent(context: Context, { id, type }: TimelineEvent): Told {
  const { visit, deliveries, urls } = context;
  const { say } = visit.language;
  const sent = deliveries.get(id) ?? [];
  const lines = sent.map((delivery) => {
    const { endpoint_id, event_id } = delivery;
    const url = urls.get(endpoint_id) ?? endpoint_id;
    const again = buttonForm(visit, {
      name: "resend",
      action: "deliveries.resend",
      label: "resend",
      about: `${type} ${url}`,
      fields: { endpoint_id, event_id },
    });
    return html`<li>${deliveryBadge(visit, delivery)}
<a href="${inStore(visit, ["deliveries", endpoint_id, event_id])}">${url}</a> ${again}</li>`;
  });
  return {
    tone: sent.some(({ state }) => state === "exhausted") ? "bad" : "plain",
    text: html`${say("history_event")} <a href="${inStore(visit, ["events", id])}">${type}</a>`,
    more: lines.length === 0 ? null : html`<ul class="sent">${lines}</ul>`,
  };
}

import { type Html, html } from "../../../contract/html.ts";
import type { AuditEntry } from "../../../owner/audit.ts";
import type { OwnerTimelineEntry } from "../../../owner/sales/order-timeline.ts";
import type { OwnerOrder } from "../../../owner/sales/orders.ts";
import type { Delivery } from "../../../owner/webhooks/deliveries.ts";
import { inStore } from "../../addresses.ts";
import { amountText, countText, timeTag } from "../../format.ts";
import { badge, buttonForm, fold, notice, type Tone } from "../../frame/elements.ts";
import { isTextName } from "../../language.ts";
import type { StoreVisit } from "../../screen.ts";
import { entryText } from "../../sentences/history.ts";
import { readSubjects, type SubjectOf } from "../../sentences/subjects.ts";
import { deliveryBadge } from "../developers/deliveries.ts";
import {
  attemptBadge,
  declineText,
  disputeBadge,
  disputeText,
  refundTexts,
} from "./money-badges.ts";
import { moneyBadge } from "./order-money.ts";

interface Told {
  readonly tone: Tone;
  readonly text: Html | string;
  /** What stands below the text. */
  readonly more?: Html | null;
}

/** What people did to the order. */
interface Acts {
  readonly entries: readonly AuditEntry[];
  readonly subjectOf: SubjectOf;
}

/** What the entries of an order's history need. */
interface Context {
  readonly visit: StoreVisit;
  readonly order: OwnerOrder;
  /** The names of those who made notes and refunds, by their ids. */
  readonly makers: ReadonlyMap<string, string>;
  /** The deliveries of each event. */
  readonly deliveries: ReadonlyMap<string, readonly Delivery[]>;
  /** The addresses of the endpoints by their ids. */
  readonly urls: ReadonlyMap<string, string>;
}

interface History {
  readonly order: OwnerOrder;
  readonly entries: readonly OwnerTimelineEntry[];
  /** The addresses of the endpoints by their ids. */
  readonly urls: ReadonlyMap<string, string>;
  readonly acts: Acts;
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

/** Reads what people did to an order, the newest first. */
export async function readActs(visit: StoreVisit, order_id: string): Promise<Acts> {
  const subject = { type: "order", id: order_id } as const;
  const query = { store_id: visit.store.id, subject, limit: 100 };
  const { data } = await visit.parts.owner.audit.list(query);
  return { entries: data, subjectOf: await readSubjects(visit, data) };
}

/** Names the note or the refunds that an entry of the audit log tells of. */
const madeBy = ({ after }: AuditEntry): readonly string[] =>
  Object.entries(after ?? {}).flatMap(([field, value]) => {
    if (field === "note" && typeof value === "string") return [value];
    return /^refunds\[([^\]]+)\]\.amount$/.exec(field)?.[1] ?? [];
  });

/**
 * Lists what happened to an order, the newest first. An event has its deliveries below it, and a
 * note or a refund has the name of its maker beside it.
 */
export function historyList(visit: StoreVisit, { order, entries, urls, acts }: History): Html {
  const deliveries = new Map<string, Delivery[]>();
  for (const entry of entries)
    if (entry.type === "delivery") {
      const { event_id } = entry.delivery;
      deliveries.set(event_id, [...(deliveries.get(event_id) ?? []), entry.delivery]);
    }
  const makers = new Map(
    acts.entries.flatMap((entry) => madeBy(entry).map((id) => [id, entry.actor] as const)),
  );

  const context = { visit, order, deliveries, urls, makers };
  const line = (at: string, { tone, text, more }: Told) => ({
    time: Date.parse(at),
    line: html`<li class="${tone}"><div>${text}${more ?? null}</div>${timeTag(visit, at)}</li>`,
  });
  const happened = entries.toReversed().flatMap((entry) => {
    const told = tell(context, entry);
    return told === null ? [] : line(entry.at, told);
  });
  const done = acts.entries
    .filter((entry) => madeBy(entry).length === 0)
    .map((entry) => {
      const text = entryText(visit, entry, acts.subjectOf);
      return line(entry.created_at, { tone: "plain", text });
    });
  const lines = [...done, ...happened].sort((one, other) => other.time - one.time);
  return html`<ol class="timeline">${lines.map((each) => each.line)}</ol>`;
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
      const more = referenceFold(visit, payment_reference);
      return { tone: "good", text: html`${text} ${moneyBadge(visit, state)}`, more };
    }
    case "refund": {
      const { id, amount, failure_reason } = entry.refund;
      const { state, reason } = refundTexts(visit, entry.refund);
      const text = say("history_refund", { amount: amountText(visit, amount, order.currency) });
      const lines = [reason, failure_reason].flatMap((line) => (line === null ? [] : small(line)));
      const more = [...lines, ...makerLine(context, id)];
      return { tone: "plain", text: html`${text} ${state}`, more: join(more) };
    }
    case "dispute": {
      const { amount, currency, status, reason, due_by } = entry.dispute;
      const text = say("history_dispute", { amount: amountText(visit, amount, currency) });
      const due =
        due_by === null ? [] : [html`<small>${say("due_by")}: ${timeTag(visit, due_by)}</small>`];
      const why = disputeText(visit, reason);
      const more = [...(why === null ? [] : [why]), ...due];
      const tone = status === "open" ? "bad" : "plain";
      return { tone, text: html`${text} ${disputeBadge(visit, status)}`, more: join(more) };
    }
    case "note":
      return {
        tone: "plain",
        text: html`<strong>${say("note")}</strong>`,
        more: html`${makerLine(context, entry.note.id)}<p class="note">${entry.note.text}</p>`,
      };
    case "event":
      return tellEvent(context, entry.event);
    case "delivery":
      return null;
  }
}

/** Keeps what the provider calls a payment. */
const referenceFold = ({ language }: StoreVisit, reference: string): Html =>
  fold(language.say("details"), html`<p><code>${reference}</code></p>`);

/** Names whoever made a note or a refund, where the audit log knows it. */
function makerLine({ visit, makers }: Context, id: string): readonly Html[] {
  const actor = makers.get(id);
  return actor === undefined ? [] : [small(visit.language.say("history_by", { actor }))];
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
      reference === null ? null : referenceFold(visit, reference)
    }`,
  };
}

type TimelineEvent = Extract<OwnerTimelineEntry, { type: "event" }>["event"];

/** Describes an event. Its code and its deliveries to endpoints are in a fold. */
function tellEvent(context: Context, { id, type }: TimelineEvent): Told {
  const { visit, deliveries } = context;
  const { say, sayCount } = visit.language;
  const sent = deliveries.get(id) ?? [];
  const isLost = sent.some(({ state }) => state === "exhausted");
  const done = sent.filter(({ state }) => state === "delivered").length;
  const reached =
    sent.length === 0
      ? say("history_received_none")
      : sayCount("history_received", sent.length, { done: countText(visit, done) });

  const name = `event_${type}`;
  const what = isTextName(name) ? say(name) : type;
  const lines = sent.map((delivery) => deliveryLine(context, delivery, type));
  const code = html`<p><a href="${inStore(visit, ["events", id])}"><code>${type}</code></a></p>`;
  return {
    tone: isLost ? "bad" : "plain",
    text: say("history_told", { what }),
    more: fold(reached, html`${code}<ul class="sent">${lines}</ul>`, isLost),
  };
}

/** Describes a delivery, with the button that sends it again. */
function deliveryLine({ visit, urls }: Context, delivery: Delivery, type: string): Html {
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
}

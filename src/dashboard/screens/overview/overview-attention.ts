import { type Html, html } from "../../../contract/html.ts";
import { minuteMs } from "../../../domain/durations.ts";
import type { Endpoint } from "../../../owner/webhooks/shown-endpoint.ts";
import { inStore } from "../../addresses.ts";
import { amountText, timeTag } from "../../format.ts";
import { badge, card } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { alertTitle } from "../../sentences/alert.ts";

/** A delivery that waits longer than this has failed at least once, or no process sends. */
export const lateMs = 5 * minuteMs;
const mostAlerts = 5;
const mostDisputes = 5;
const mostCounted = 50;

interface Counted {
  readonly data: readonly unknown[];
  readonly has_more: boolean;
}

/** Tells how many there are: `50+` when there are more than were read. */
const countOf = (
  { language }: StoreVisit,
  name: "attention_deliveries" | "attention_payments",
  { data: { length }, has_more }: Counted,
): string => language.sayCount(name, length, { count: `${length}${has_more ? "+" : ""}` });

const failingEndpoints = (visit: StoreVisit, endpoints: readonly Endpoint[]): readonly Html[] =>
  endpoints
    .filter(({ disabled_reason }) => disabled_reason === "failing")
    .map(
      ({ id, url }) => html`<li>${badge("bad", visit.language.say("state_failing"))}
<a href="${inStore(visit, ["webhooks", id])}">${url}</a></li>`,
    );

async function lateDeliveries(visit: StoreVisit): Promise<readonly Html[]> {
  const { parts, store, livemode, language } = visit;
  const waiting = await parts.owner.deliveries.list({
    store_id: store.id,
    livemode,
    state: "pending",
    limit: mostCounted,
  });

  // The list begins with the newest, so its last is the oldest unless there are more pages.
  const oldest = waiting.data.at(-1);
  if (!oldest) return [];
  const isLate = parts.now() - Date.parse(oldest.created_at) > lateMs;
  if (!isLate && !waiting.has_more) return [];

  const address = inStore(visit, ["deliveries"], { state: "pending" });
  const since = waiting.has_more ? null : timeTag(visit, oldest.created_at);
  const label = countOf(visit, "attention_deliveries", waiting);
  return [
    html`<li>${badge("warn", language.say("badge_late"))}
<a href="${address}">${label}</a>${since}</li>`,
  ];
}

async function unknownPayments(visit: StoreVisit): Promise<readonly Html[]> {
  const { parts, store, livemode, language } = visit;
  const unknown = await parts.owner.payments.list({
    store_id: store.id,
    livemode,
    status: "unknown",
    limit: mostCounted,
  });
  const oldest = unknown.data.at(-1);
  if (!oldest) return [];

  const address = inStore(visit, ["payments"], { status: "unknown" });
  const since = unknown.has_more ? null : timeTag(visit, oldest.created_at);
  const label = countOf(visit, "attention_payments", unknown);
  return [
    html`<li>${badge("warn", language.say("badge_doubt"))}
<a href="${address}">${label}</a>${since}</li>`,
  ];
}

/** Lists disputes that wait for an answer. An unanswered one is lost, whoever was right. */
async function openDisputes(visit: StoreVisit): Promise<readonly Html[]> {
  const { parts, store, livemode, language } = visit;
  const { say } = language;
  const open = await parts.owner.disputes.list({
    store_id: store.id,
    livemode,
    status: "open",
    limit: mostDisputes,
  });
  const entries = open.data.map((dispute) => {
    const { order_id, order_number: number, amount, currency, due_by } = dispute;
    const label = say("attention_dispute", {
      number: String(number),
      amount: amountText(visit, amount, currency),
    });
    const due =
      due_by === null ? null : html`<span>${say("due_by")}: ${timeTag(visit, due_by)}</span>`;
    return html`<li>${badge("bad", say("badge_dispute"))}
<a href="${inStore(visit, ["orders", order_id])}">${label}</a>${due}</li>`;
  });

  const address = inStore(visit, ["disputes"], { status: "open" });
  const more = html`<li><a href="${address}">${say("attention_disputes")}</a></li>`;
  return open.has_more ? [...entries, more] : entries;
}

async function openAlerts(visit: StoreVisit): Promise<readonly Html[]> {
  const { parts, store, livemode, language } = visit;
  const alerts = await parts.owner.alerts.list(store.id, {
    limit: mostAlerts,
    livemode,
    acknowledged: false,
  });
  return alerts.data.map(
    ({ type, created_at }) => html`<li>${badge("warn", language.say("badge_alert"))}
<a href="${inStore(visit, ["alerts"])}">${alertTitle(visit, type)}</a>
${timeTag(visit, created_at)}</li>`,
  );
}

interface Attention {
  readonly isEmpty: boolean;
  readonly body: Html;
}

/** Lists what needs the owner, the worst first. Each entry links to where it can be solved. */
export async function attention(
  visit: StoreVisit,
  endpoints: Promise<readonly Endpoint[]>,
): Promise<Attention> {
  const found = await Promise.all([
    openDisputes(visit),
    endpoints.then((all) => failingEndpoints(visit, all)),
    unknownPayments(visit),
    lateDeliveries(visit),
    openAlerts(visit),
  ]);
  const entries = found.flat();
  const { say } = visit.language;
  const isEmpty = entries.length === 0;
  const body = isEmpty
    ? html`<p class="soft">${say("attention_none")}</p>`
    : html`<ul class="todo">${entries}</ul>`;
  return { isEmpty, body: card(say("attention_title"), body) };
}

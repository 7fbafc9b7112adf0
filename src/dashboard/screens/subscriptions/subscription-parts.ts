import { type Html, html } from "../../../contract/html.ts";
import type { Subscription } from "../../../contract/schemas.ts";
import { inStore } from "../../addresses.ts";
import { amountText, timeTag } from "../../format.ts";
import type { Head, Table } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import { buyerName } from "../sales/customer-parts.ts";
import { subscriptionBadge } from "../sales/money-badges.ts";

/** Writes the price and how often it is paid, e.g. `R$ 30,00 every 3 months`. */
export function priceText(visit: StoreVisit, subscription: Subscription): string {
  const { amount: minor, currency, interval, interval_count: count } = subscription;
  const { say, sayCount } = visit.language;
  const amount = amountText(visit, minor, currency);
  return count === 1
    ? say(`every_${interval}`, { amount })
    : sayCount(`every_${interval}s`, count, { amount });
}

/** Tells when it renews or ends. */
export const nextTime = (visit: StoreVisit, subscription: Subscription): Html | string => {
  const { status, current_period_end, ended_at } = subscription;
  if (status !== "canceled") return timeTag(visit, current_period_end);
  return ended_at === null ? "—" : timeTag(visit, ended_at);
};

/** Tells what pays the next period: the kept method, or the host's own code. */
export const chargedBy = ({ language }: StoreVisit, { saved_method }: Subscription): string =>
  saved_method === null ? language.say("charged_by_host") : saved_method.label;

export const stateBadges = (visit: StoreVisit, subscription: Subscription): Html => {
  const { say } = visit.language;
  const isRunning = subscription.status !== "canceled";
  const ends = subscription.cancel_at_period_end && isRunning;
  const paused = subscription.paused_at !== null && isRunning;
  const text = ends ? say("subscription_ends") : paused ? say("subscription_paused") : null;
  const hint = text === null ? null : html`<small>${text}</small>`;
  return html`<span>${subscriptionBadge(visit, subscription.status)}${hint}</span>`;
};

/** Renders a list of subscriptions. The amounts stand in the last column. */
export function subscriptionTable(
  visit: StoreVisit,
  subscriptions: readonly Subscription[],
  created: string | Head = visit.language.say("created_at"),
): Omit<Table, "caption"> {
  const { say } = visit.language;
  const rows = subscriptions.map((subscription) => {
    const { id, product_name, customer } = subscription;
    return [
      html`<a href="${inStore(visit, ["subscriptions", id])}">${product_name}</a>
<small>${id}</small>`,
      html`<span>${buyerName(visit, customer)}</span>`,
      timeTag(visit, subscription.created_at),
      nextTime(visit, subscription),
      stateBadges(visit, subscription),
      priceText(visit, subscription),
    ];
  });
  const columns = [
    say("product"),
    say("customer"),
    created,
    say("next_period"),
    say("state"),
    say("price"),
  ];
  return { columns, rows, amounts: columns.length - 1 };
}

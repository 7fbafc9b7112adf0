import { fail } from "../../../contract/errors.ts";
import { type Html, html, raw } from "../../../contract/html.ts";
import { type Subscription, subscriptionStatuses } from "../../../contract/schemas.ts";
import { dayMs } from "../../../domain/durations.ts";
import type { SubscriptionMovement } from "../../../owner/sales/subscriptions.ts";
import { inStore } from "../../addresses.ts";
import { amountText, countText, shareText, timeTag } from "../../format.ts";
import { actionLink, card, codeBox, facts } from "../../frame/elements.ts";
import { chips, type Filters, filtersOf, pinned } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import { partitionOf, type Screen, type StoreVisit, timeOf, type View } from "../../screen.ts";
import { historyCard } from "../../sentences/history.ts";
import { confirmScreen } from "../confirm.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { listBody, pageQuery } from "../lists.ts";
import { buyerName } from "../sales/customer-parts.ts";
import { changeButtons, changeForms } from "./subscription-changes.ts";
import {
  chargedBy,
  nextTime,
  priceText,
  stateBadges,
  subscriptionTable,
} from "./subscription-parts.ts";

const dueDays = 7;

const filterNames = ["status", "customer", sortFilter];

const isDueList = (filters: Filters): boolean => filters["status"] === "due";

/** Reads the query of the address, for the list and for its file. */
const queryOf = (filters: Filters) => ({
  status: subscriptionStatuses.find((name) => name === filters["status"]) ?? null,
  customer_id: filters["customer"],
  sort: ageSortOf(filters),
});

/** The list of due subscriptions has no file: one that renews meanwhile would be in it twice. */
export const subscriptionsDownload = csvDownload("subscriptions", async (visit) => {
  const filters = filtersOf(visit, filterNames);
  if (isDueList(filters)) return fail("parameter_invalid", { param: "status" });

  const query = { ...partitionOf(visit), ...queryOf(filters), ...csvFormat };
  return visit.parts.owner.export("subscriptions", query);
});

/** Says how many there are now, what they bring in a month, and what 30 days have changed. */
async function summaryLine(visit: StoreVisit): Promise<Html | null> {
  const { say } = visit.language;
  const { monthly, last_30_days, ...counts } = await visit.parts.owner.subscriptions.summary(
    partitionOf(visit),
  );
  const counted = (["trialing", "active", "past_due", "ending", "paused"] as const).filter(
    (name) => counts[name] > 0,
  );
  const moved = movementText(visit, last_30_days);
  if (counted.length === 0 && moved === null) return null;

  const parts = [
    ...monthly.map(({ currency, amount }) =>
      say("subscriptions_monthly", { amount: amountText(visit, amount, currency) }),
    ),
    ...counted.map((name) =>
      say(`subscriptions_${name}`, { number: countText(visit, counts[name]) }),
    ),
  ];
  return html`<p class="soft">${parts.join(" · ")}</p>
${moved === null ? null : html`<p class="soft">${moved}</p>`}`;
}

/** Tells what the last 30 days have changed. Null when nothing has. */
function movementText(
  visit: StoreVisit,
  { started, ended, churn, recovered }: SubscriptionMovement,
): string | null {
  const { say, sayCount } = visit.language;
  if (started === 0 && ended === 0 && recovered.length === 0) return null;

  const parts = [
    sayCount("subscriptions_started", started),
    sayCount("subscriptions_ended", ended),
    ...(churn === null ? [] : [say("subscriptions_churn", { share: shareText(visit, churn) })]),
    ...recovered.map(({ currency, amount }) =>
      say("subscriptions_recovered", { amount: amountText(visit, amount, currency) }),
    ),
  ];
  return say("subscriptions_moved", { parts: parts.join(" · ") });
}

export const subscriptionsScreen: Screen = {
  path: "subscriptions",
  section: "subscriptions",
  action: null,

  async show(visit) {
    const { parts, language } = visit;
    const { say, sayCount } = language;
    const filters = filtersOf(visit, filterNames);
    const isDue = isDueList(filters);
    const isWhole = Object.keys(filters).every((name) => name === sortFilter);
    // The list of due subscriptions takes no other filter.
    const wanted = isDue
      ? { renews_before: (await timeOf(visit)) + dueDays * dayMs }
      : queryOf(filters);
    const query = { ...partitionOf(visit), ...wanted, ...pageQuery(visit) };
    const page = await parts.owner.subscriptions.list(query);

    const options = [
      { value: "", label: say("filter_all_feminine") },
      { value: "due", label: sayCount("subscriptions_due", dueDays) },
      ...subscriptionStatuses.map((value) => ({ value, label: say(`subscription_${value}`) })),
    ];
    const caption = say("section_subscriptions");
    const body = listBody(visit, {
      caption,
      ...subscriptionTable(visit, page.data, isDue ? undefined : dateHead(visit, filters)),
      page,
      filters,
      tools: html`${isWhole ? await summaryLine(visit) : null}
${chips(visit, { filters, name: "status", label: "filter_state", options })}
${pinned(visit, filters, { name: "customer", label: "customer" })}`,
      download: isDue ? null : csvLink(visit, "subscriptions", filters),
      empty: { title: "subscriptions_empty_title", text: "subscriptions_empty_text" },
    });
    return { title: caption, body };
  },
};

const find = (visit: StoreVisit): Promise<Subscription> =>
  visit.parts.subscriptions.retrieve(visit.params["id"] ?? "", partitionOf(visit));

const addressOf = (visit: StoreVisit, id: string, ...steps: string[]): string =>
  inStore(visit, ["subscriptions", id, ...steps]);

const crumbs = (visit: StoreVisit) => [
  {
    label: visit.language.say("section_subscriptions"),
    address: inStore(visit, ["subscriptions"]),
  },
];

/** Shows a subscription, with what can be done about it and what people did. */
async function subscriptionView(visit: StoreVisit, link: Html | null = null): Promise<View> {
  const { say } = visit.language;
  const subscription = await find(visit);
  const { id, customer, latest_order_id, current_period_start, next_charge_at } = subscription;
  const cancel = {
    label: "subscription_cancel",
    address: addressOf(visit, id, "cancel"),
    kind: "danger",
  } as const;
  const isOver = subscription.status === "canceled";

  const about = facts([
    [
      say("customer"),
      html`<a href="${inStore(visit, ["orders"], { customer: customer.id })}">${buyerName(
        visit,
        customer,
      )}</a>`,
    ],
    [say("quantity"), String(subscription.quantity)],
    [say("price"), priceText(visit, subscription)],
    [say("period_start"), timeTag(visit, current_period_start)],
    [say(isOver ? "ended_at" : "next_period"), nextTime(visit, subscription)],
    [say("charged_by"), chargedBy(visit, subscription)],
    [say("next_charge"), next_charge_at === null ? "—" : timeTag(visit, next_charge_at)],
    [
      say("latest_order"),
      latest_order_id === null
        ? "—"
        : html`<a href="${inStore(visit, ["orders", latest_order_id])}">${say("show")}</a>`,
    ],
  ]);
  const history = await historyCard(visit, { type: "subscription", id });
  return {
    title: subscription.product_name,
    crumbs: crumbs(visit),
    lead: stateBadges(visit, subscription),
    primary: isOver
      ? null
      : html`${changeButtons(visit, subscription)}
${actionLink(visit, "subscriptions.cancel", cancel)}`,
    body: html`${link}<div class="cards">${card(null, about)}
${card(say("more"), codeBox(visit, { id: "subscription-id", label: say("id"), value: id }))}</div>
${history}`,
  };
}

export const subscriptionScreen: Screen = {
  path: "subscriptions/{id}",
  section: "subscriptions",
  action: null,
  show: (visit) => subscriptionView(visit),
  forms: changeForms(subscriptionView),
};

const moments = ["at_period_end", "now"] as const;

export const cancelSubscriptionScreen: Screen = confirmScreen({
  path: "subscriptions/{id}/cancel",
  section: "subscriptions",
  action: "subscriptions.cancel",
  async ask(visit) {
    const { say } = visit.language;
    const { id, product_name, status } = await find(visit);
    const back = addressOf(visit, id);
    const fields = html`<fieldset class="field"><legend>${say("cancel_when")}</legend>${moments.map(
      (value, index) => html`<label class="tick" for="when-${value}"><input type="radio"
id="when-${value}" name="when" value="${value}" ${raw(index === 0 ? "checked" : "")}>
<span>${say(`cancel_${value}`)}</span></label>`,
    )}</fieldset>`;
    return {
      title: say("subscription_cancel_title", { name: product_name }),
      text: say("subscription_cancel_text"),
      button: "subscription_cancel",
      crumbs: [...crumbs(visit), { label: product_name, address: back }],
      back,
      refusal: status === "canceled" ? say("subscription_over") : null,
      fields,
    };
  },
  async run(visit, fields) {
    const { id } = await find(visit);
    const at_period_end = fields.get("when") !== "now";
    await visit.parts.subscriptions.cancel(id, { ...partitionOf(visit), at_period_end });
    const message = at_period_end ? "done_subscription_ends" : "done_subscription_ended";
    return { kind: "done", address: addressOf(visit, id), message };
  },
});

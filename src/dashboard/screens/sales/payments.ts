import { html } from "../../../contract/html.ts";
import { attemptStates } from "../../../rules/owner/list-records.ts";
import { amountText, timeTag } from "../../format.ts";
import { badge } from "../../frame/elements.ts";
import {
  chips,
  type Filters,
  filterForm,
  filtersOf,
  rangeFields,
  readRange,
  requireRange,
} from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { emptyPage, listBody, pageQuery } from "../lists.ts";
import { attemptBadge, declineText } from "./money-badges.ts";
import { orderAddress, orderName, ordersById } from "./order-parts.ts";

const filterNames = ["status", "from", "to", sortFilter];

/** Reads the query of the address, for the list and for its file. */
const queryOf = ({ store, livemode }: StoreVisit, filters: Filters) => ({
  store_id: store.id,
  livemode,
  status: attemptStates.find((name) => name === filters["status"]) ?? null,
  sort: ageSortOf(filters),
});

export const paymentsDownload = csvDownload("payments", async (visit) => {
  const filters = filtersOf(visit, filterNames);
  const range = requireRange(visit, filters);
  const query = { ...queryOf(visit, filters), ...range, ...csvFormat };
  return visit.parts.owner.export("payments", query);
});

export const paymentsScreen: Screen = {
  path: "payments",
  section: "payments",
  action: null,

  async show(visit) {
    const { parts, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, filterNames);
    const range = readRange(visit, filters);
    const wanted = { ...queryOf(visit, filters), ...pageQuery(visit) };
    const page =
      typeof range === "string"
        ? emptyPage
        : await parts.owner.payments.list({ ...wanted, ...range });
    const orders = await ordersById(
      visit,
      page.data.map(({ order_id }) => order_id),
    );

    const rows = page.data.map((payment) => {
      const order = orders.get(payment.order_id);
      const { failure_code, decline_code } = payment;
      return [
        html`<a href="${orderAddress(visit, payment.order_id)}">${
          order ? orderName(order) : payment.order_id
        }</a><small>${payment.id}</small>`,
        html`<span>${payment.gateway}${
          payment.payment_method_type === null
            ? null
            : html`<small>${say(`method_${payment.payment_method_type}`)}</small>`
        }</span>`,
        timeTag(visit, payment.created_at),
        html`<span>${attemptBadge(visit, payment.status)} ${
          failure_code === null ? null : badge("plain", say(`failure_${failure_code}`))
        }${declineText(visit, decline_code)}</span>`,
        amountText(visit, payment.amount, payment.currency),
      ];
    });
    const options = [
      { value: "", label: say("filter_all") },
      ...attemptStates.map((value) => ({ value, label: say(`attempt_${value}`) })),
    ];
    const caption = say("section_payments");
    const body = listBody(visit, {
      caption,
      columns: [
        say("order"),
        say("gateway"),
        dateHead(visit, filters),
        say("state"),
        say("amount"),
      ],
      rows,
      amounts: 4,
      page,
      filters,
      tools: html`${filterForm(visit, filters, rangeFields)}
${chips(visit, { filters, name: "status", label: "filter_state", options })}`,
      download: csvLink(visit, "payments", filters),
      fault: typeof range === "string" ? range : null,
      empty: { title: "payments_empty_title", text: "payments_empty_text" },
    });
    return { title: caption, lead: say("payments_lead"), body };
  },
};

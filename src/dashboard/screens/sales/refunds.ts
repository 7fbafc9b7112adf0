import { html } from "../../../contract/html.ts";
import { amountText, timeTag } from "../../format.ts";
import { chips, type Filters, filtersOf } from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { listBody, pageQuery } from "../lists.ts";
import { refundTexts } from "./money-badges.ts";
import { orderAddress, orderName, ordersById } from "./order-parts.ts";

const statuses = ["pending", "succeeded", "failed"] as const;

const filterNames = ["status", sortFilter];

/** Reads the query of the address, for the list and for its file. */
const queryOf = ({ store, livemode }: StoreVisit, filters: Filters) => ({
  store_id: store.id,
  livemode,
  status: statuses.find((name) => name === filters["status"]) ?? null,
  sort: ageSortOf(filters),
});

export const refundsDownload = csvDownload("refunds", async (visit) => {
  const query = { ...queryOf(visit, filtersOf(visit, filterNames)), ...csvFormat };
  return visit.parts.owner.export("refunds", query);
});

export const refundsScreen: Screen = {
  path: "refunds",
  section: "refunds",
  action: null,

  async show(visit) {
    const { parts, store, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, filterNames);
    const query = { ...queryOf(visit, filters), ...pageQuery(visit) };
    const page = await parts.owner.refunds.list(query);
    const orders = await ordersById(
      visit,
      page.data.map(({ order_id }) => order_id),
    );

    const rows = page.data.map((refund) => {
      const order = orders.get(refund.order_id);
      const currency = order?.currency ?? store.currency;
      const { state, reason } = refundTexts(visit, refund);
      return [
        html`<a href="${orderAddress(visit, refund.order_id)}">${
          order ? orderName(order) : refund.order_id
        }</a><small>${refund.reference ?? refund.provider_reference ?? refund.id}</small>`,
        html`<span>${reason ?? "—"}<small>${refund.failure_reason}</small></span>`,
        timeTag(visit, refund.created_at),
        state,
        amountText(visit, refund.amount, currency),
      ];
    });
    const options = [
      { value: "", label: say("filter_all") },
      ...statuses.map((value) => ({ value, label: say(`refund_${value}`) })),
    ];
    const caption = say("section_refunds");
    const body = listBody(visit, {
      caption,
      columns: [say("order"), say("reason"), dateHead(visit, filters), say("state"), say("amount")],
      rows,
      amounts: 4,
      page,
      filters,
      tools: chips(visit, { filters, name: "status", label: "filter_state", options }),
      download: csvLink(visit, "refunds", filters),
      empty: { title: "refunds_empty_title", text: "refunds_empty_text" },
    });
    return { title: caption, body };
  },
};

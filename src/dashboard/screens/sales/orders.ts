import { html } from "../../../contract/html.ts";
import { orderStatuses } from "../../../contract/schemas.ts";
import { ageSorts } from "../../../owner/listing.ts";
import {
  chips,
  type Filters,
  filterForm,
  filtersOf,
  pinned,
  rangeFields,
  readRange,
  requireRange,
} from "../../lists/filters.ts";
import { ageSortOf, dateHead, sortFilter } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { booksLink } from "../books.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { emptyPage, listBody, pageQuery } from "../lists.ts";
import { orderTable } from "./order-parts.ts";

const filterNames = [
  "status",
  "search",
  "from",
  "to",
  "customer",
  "product",
  "channel",
  sortFilter,
];

/** The agents that orders can be of: all of a protocol, and the one that an order's page names. */
function channelField({ language: { say } }: StoreVisit, { channel = "" }: Filters) {
  const protocols = ["acp", "mcp", "ucp"];
  const options = [
    { value: "", label: say("filter_all") },
    ...protocols.map((value) => ({ value, label: say("agents_by", { protocol: upper(value) }) })),
    ...(["", ...protocols].includes(channel) ? [] : [{ value: channel, label: channel }]),
  ];
  return { name: "channel", label: "sold_by_agent", kind: "choice", options } as const;
}

const upper = (protocol: string): string => protocol.toUpperCase();

function tools(visit: StoreVisit, filters: Filters) {
  const { say } = visit.language;
  const options = [
    { value: "", label: say("filter_all") },
    ...orderStatuses.map((value) => ({ value, label: say(`order_${value}`) })),
  ];
  const search = { name: "search", label: "orders_search", kind: "search" } as const;
  const orders = ageSorts.map((value) => ({
    value: value === "newest" ? "" : value,
    label: say(`sort_${value}`),
  }));
  const sort = { name: sortFilter, label: "sort", kind: "choice", options: orders } as const;
  const fields = [
    { ...search, hint: "orders_search_hint" } as const,
    ...rangeFields,
    channelField(visit, filters),
    sort,
  ];
  return html`${filterForm(visit, filters, fields)}
${chips(visit, { filters, name: "status", label: "filter_state", options })}
${pinned(visit, filters, "customer", "customer")}${pinned(visit, filters, "product", "product")}`;
}

/** Reads the query of the address, for the list and for its file. */
const queryOf = ({ store, livemode }: StoreVisit, filters: Filters) => ({
  store_id: store.id,
  livemode,
  status: orderStatuses.find((name) => name === filters["status"]) ?? null,
  search: filters["search"],
  customer_id: filters["customer"],
  product: filters["product"],
  channel: filters["channel"],
  sort: ageSortOf(filters),
});

export const ordersDownload = csvDownload("orders", async (visit) => {
  const filters = filtersOf(visit, filterNames);
  const range = requireRange(visit, filters);
  const query = { ...queryOf(visit, filters), ...range, ...csvFormat };
  return visit.parts.owner.export("orders", query);
});

export const ordersScreen: Screen = {
  path: "orders",
  section: "orders",
  action: null,

  async show(visit) {
    const { parts, language } = visit;
    const filters = filtersOf(visit, filterNames);
    const range = readRange(visit, filters);
    const fault = typeof range === "string" ? range : null;
    const page =
      typeof range === "string"
        ? emptyPage
        : await parts.owner.orders.list({
            ...queryOf(visit, filters),
            ...range,
            ...pageQuery(visit),
          });

    const caption = language.say("section_orders");
    const body = listBody(visit, {
      caption,
      ...orderTable(visit, page.data, { created: dateHead(visit, filters) }),
      page,
      filters,
      tools: tools(visit, filters),
      download: html`<div class="files">${booksLink(visit, filters)}${csvLink(
        visit,
        "orders",
        filters,
      )}</div>`,
      fault,
      empty: { title: "orders_empty_title", text: "orders_empty_text" },
    });
    return { title: caption, body };
  },
};

import { type Html, html } from "../../../contract/html.ts";
import { orderStatuses } from "../../../contract/schemas.ts";
import { ageSorts } from "../../../owner/listing.ts";
import { samePage } from "../../addresses.ts";
import { fullName } from "../../format.ts";
import { isStale } from "../../forms/conflict.ts";
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

/** The number of products that a search of orders offers, at most. */
const mostOffered = 5;

/**
 * Offers the orders of each product whose name fits the search. Orders are indexed by the ids of
 * their products, and products by their names.
 */
async function productsOf(visit: StoreVisit, filters: Filters): Promise<Html | null> {
  const { parts, store, language } = visit;
  const { search, product } = filters;
  if (search === undefined || product !== undefined || visit.query.has("after")) return null;

  const query = { search: search.slice(0, 100), limit: mostOffered };
  const { data } = await parts.owner.products.list(store.id, query);
  if (data.length === 0) return null;
  const links = data.map((each) => {
    const address = samePage(visit, { ...filters, search: null, product: each.id });
    return html`<a href="${address}">${fullName(each)}</a>`;
  });
  const label = language.say("orders_of_product");
  return html`<div class="filters" role="group" aria-label="${label}"><span class="soft">${label}:
</span>${links}</div>`;
}

/** Gives the name of the product of the filter. Null for none, and for one that is gone. */
async function productName({ parts, store }: StoreVisit, { product }: Filters) {
  if (product === undefined) return null;
  try {
    return fullName(await parts.owner.products.retrieve(store.id, product));
  } catch (error) {
    if (isStale(error)) return null;
    throw error;
  }
}

async function tools(visit: StoreVisit, filters: Filters): Promise<Html> {
  const of = await productName(visit, filters);
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
  return html`${filterForm(visit, filters, fields)}${await productsOf(visit, filters)}
${chips(visit, { filters, name: "status", label: "filter_state", options })}
${pinned(visit, filters, { name: "customer", label: "customer" })}
${pinned(visit, filters, { name: "product", label: "product", of })}`;
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
      tools: await tools(visit, filters),
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

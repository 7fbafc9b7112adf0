import { fail } from "../../../contract/errors.ts";
import { type Html, html } from "../../../contract/html.ts";
import { customerSorts, type OwnerCustomer } from "../../../owner/sales/customers.ts";
import { inStore } from "../../addresses.ts";
import { amountText, countText } from "../../format.ts";
import type { Head, Row } from "../../frame/elements.ts";
import { type Filters, filterForm, filtersOf } from "../../lists/filters.ts";
import { sortFilter, sortHead } from "../../lists/sorts.ts";
import type { Screen, StoreVisit } from "../../screen.ts";
import { csvDownload, csvFormat, csvLink } from "../exports.ts";
import { listBody, pageQuery, pageSize } from "../lists.ts";
import { buyerName } from "./customer-parts.ts";

const spentText = (visit: StoreVisit, { totals }: OwnerCustomer): string =>
  totals.map(({ spent, currency }) => amountText(visit, spent, currency)).join(" · ") || "—";

const ordersText = (visit: StoreVisit, { totals }: OwnerCustomer): string => {
  const count = totals.reduce((sum, { orders }) => sum + orders, 0);
  return countText(visit, count);
};

function rowOf(visit: StoreVisit, customer: OwnerCustomer): Row {
  const { id, email } = customer;
  const name = buyerName(visit, customer);
  const small = [email, id].find((each) => each !== null && each !== name) ?? null;
  return [
    html`<a href="${inStore(visit, ["customers", id])}">${name}</a><small>${small}</small>`,
    ordersText(visit, customer),
    spentText(visit, customer),
  ];
}

const filterNames = ["search", sortFilter];

const sortOf = (filters: Filters) =>
  customerSorts.find((name) => name === filters[sortFilter]) ?? null;

/** Exports all customers. A search has no file, because it shows only the first ones it finds. */
export const customersDownload = csvDownload("customers", async (visit) => {
  const filters = filtersOf(visit, filterNames);
  const { search: text } = filters;
  if (text !== undefined) return fail("parameter_invalid", { param: "search" });

  const { parts, store, livemode } = visit;
  const query = { store_id: store.id, livemode, sort: sortOf(filters) };
  return parts.owner.export("customers", { ...query, ...csvFormat });
});

/** Sorts by the id, which stands below the name. A search has an order of its own. */
function nameHead(visit: StoreVisit, filters: Filters): string | Head {
  const label = visit.language.say("customer");
  if (filters["search"] !== undefined) return label;
  return sortHead(visit, filters, {
    label,
    orders: ["id", "-id"],
    ascending: "id",
    usual: "id",
  });
}

/** Sorts by what was spent in the store's currency, from the one who spent most. */
function spentHead(visit: StoreVisit, filters: Filters): string | Head {
  const label = visit.language.say("spent");
  if (filters["search"] !== undefined) return label;
  return sortHead(visit, filters, { label, orders: ["-spent", "spent"], ascending: "spent" });
}

/** Tells that the list by what was spent leaves out who paid in other currencies alone. */
function spentNote({ language, store }: StoreVisit, filters: Filters): Html | null {
  if (filters["search"] !== undefined || !sortOf(filters)?.endsWith("spent")) return null;
  const { currency } = store;
  return html`<p class="pinned">${language.say("customers_spent_in", { currency })}</p>`;
}

export const customersScreen: Screen = {
  path: "customers",
  section: "customers",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, filterNames);
    const text = filters["search"];
    const where = { store_id: store.id, livemode };
    const page = await parts.owner.customers.list(
      text === undefined
        ? { ...where, sort: sortOf(filters), ...pageQuery(visit) }
        : { ...where, search: text, limit: pageSize },
    );

    const tools = html`${filterForm(visit, filters, [
      { name: "search", label: "customers_search", hint: "customers_search_hint", kind: "search" },
    ])}${spentNote(visit, filters)}`;
    const caption = say("section_customers");
    const body = listBody(visit, {
      caption,
      columns: [nameHead(visit, filters), say("paid_orders"), spentHead(visit, filters)],
      rows: page.data.map((found) => rowOf(visit, found)),
      amounts: 2,
      page,
      filters,
      tools,
      download: text === undefined ? csvLink(visit, "customers", filters) : null,
      empty: { title: "customers_empty_title", text: "customers_empty_text" },
    });
    return { title: caption, body };
  },
};

import { fail, isApiError } from "../../contract/errors.ts";
import { type Html, html } from "../../contract/html.ts";
import type { OwnerCustomer } from "../../owner/customers.ts";
import { inStore } from "../addresses.ts";
import type { Row } from "../elements.ts";
import { filterForm, filtersOf } from "../filters.ts";
import { amountText } from "../format.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { buyerName, findCustomer } from "./customer-parts.ts";
import { csvDownload, csvFormat, csvLink } from "./exports.ts";
import { emptyPage, listBody, pageQuery, pageSize } from "./lists.ts";

const spentText = (visit: StoreVisit, { totals }: OwnerCustomer): string =>
  totals.map(({ spent, currency }) => amountText(visit, spent, currency)).join(" · ") || "—";

const ordersText = ({ language }: StoreVisit, { totals }: OwnerCustomer): string => {
  const count = totals.reduce((sum, { orders }) => sum + orders, 0);
  return new Intl.NumberFormat(language.locale).format(count);
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

const maxIdLength = 255;

/** Finds the customers of the newest orders that fit, and the customer with exactly this id. */
async function search(visit: StoreVisit, text: string): Promise<readonly OwnerCustomer[]> {
  const { parts, store, livemode } = visit;
  const partition = { store_id: store.id, livemode };
  const orders = await parts.owner.orders.list({ ...partition, search: text, limit: 100 });
  const ids = new Set([text, ...orders.data.map(({ customer }) => customer.id)]);

  const short = [...ids].filter((each) => each.length <= maxIdLength).slice(0, pageSize);
  const found = await Promise.all(short.map((id) => findOrNull(visit, id)));
  return found.filter((customer) => customer !== null);
}

async function findOrNull(visit: StoreVisit, id: string): Promise<OwnerCustomer | null> {
  try {
    return await findCustomer(visit, id);
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return null;
    throw error;
  }
}

const filterNames = ["search"];

/** Exports all customers. A search has no file, because it shows only the first ones it finds. */
export const customersDownload = csvDownload("customers", async (visit) => {
  const { search: text } = filtersOf(visit, filterNames);
  if (text !== undefined) return fail("parameter_invalid", { param: "search" });

  const { parts, store, livemode } = visit;
  return parts.owner.export("customers", { store_id: store.id, livemode, ...csvFormat });
});

export const customersScreen: Screen = {
  path: "customers",
  section: "customers",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, filterNames);
    const text = filters["search"];
    const query = { store_id: store.id, livemode, ...pageQuery(visit) };
    const page =
      text === undefined
        ? await parts.owner.customers.list(query)
        : { ...emptyPage, data: await search(visit, text) };

    const tools: Html = filterForm(visit, filters, [
      { name: "search", label: "customers_search", hint: "customers_search_hint", kind: "search" },
    ]);
    const caption = say("section_customers");
    const body = listBody(visit, {
      caption,
      columns: [say("customer"), say("paid_orders"), say("spent")],
      rows: page.data.map((found) => rowOf(visit, found)),
      amounts: 2,
      page,
      filters,
      tools,
      download: text === undefined ? csvLink(visit, "customers") : null,
      empty: { title: "customers_empty_title", text: "customers_empty_text" },
    });
    return { title: caption, body };
  },
};

import { isApiError } from "../../contract/errors.ts";
import { type Html, html } from "../../contract/html.ts";
import type { OwnerCustomer } from "../../owner/customers.ts";
import type { OwnerOrder } from "../../owner/orders.ts";
import { inStore } from "../addresses.ts";
import type { Row } from "../elements.ts";
import { filterForm, filtersOf } from "../filters.ts";
import { amountText } from "../format.ts";
import type { Screen, StoreVisit } from "../screen.ts";
import { emptyPage, listBody, pageQuery, pageSize } from "./lists.ts";

/** One who buys; without totals it is one whose money never came. */
type Found = Pick<OwnerCustomer, "id" | "email" | "name"> & Partial<OwnerCustomer>;

export const spentText = (visit: StoreVisit, { totals = [] }: Partial<OwnerCustomer>): string =>
  totals.map(({ spent, currency }) => amountText(visit, spent, currency)).join(" · ") || "—";

const ordersText = ({ language }: StoreVisit, { totals = [] }: Found): string => {
  const count = totals.reduce((sum, { orders }) => sum + orders, 0);
  return new Intl.NumberFormat(language.locale).format(count);
};

function rowOf(visit: StoreVisit, found: Found): Row {
  const { id, email, name, totals } = found;
  const label = name ?? email ?? id;
  // Only a customer whose money came has a page; the others have orders.
  const address = totals
    ? inStore(visit, ["customers", id])
    : inStore(visit, ["orders"], { customer: id });
  const small = [email, id].find((each) => each !== null && each !== label) ?? null;
  return [
    html`<a href="${address}">${label}</a><small>${small}</small>`,
    ordersText(visit, found),
    spentText(visit, found),
  ];
}

/** Those whom the newest orders of a search belong to, and the one with this very id. */
async function search(visit: StoreVisit, text: string): Promise<readonly Found[]> {
  const { parts, store, livemode } = visit;
  const partition = { store_id: store.id, livemode };
  const orders = await parts.owner.orders.list({ ...partition, search: text, limit: 100 });

  const buyers = new Map<string, OwnerOrder["customer"] | null>([[text, null]]);
  for (const { customer } of orders.data)
    if (!buyers.has(customer.id)) buyers.set(customer.id, customer);

  const found: Found[] = [];
  for (const [id, buyer] of [...buyers].slice(0, pageSize)) {
    const known = await find(visit, id);
    if (known) found.push(known);
    else if (buyer) found.push(buyer);
  }
  return found;
}

async function find(visit: StoreVisit, customer_id: string): Promise<Found | null> {
  const { parts, store, livemode } = visit;
  if (customer_id.length > 255) return null;
  try {
    return await parts.owner.customers.retrieve({ store_id: store.id, livemode, customer_id });
  } catch (error) {
    if (isApiError(error) && error.code === "resource_not_found") return null;
    throw error;
  }
}

export const customersScreen: Screen = {
  path: "customers",
  section: "customers",
  action: null,

  async show(visit) {
    const { parts, store, livemode, language } = visit;
    const { say } = language;
    const filters = filtersOf(visit, ["search"]);
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
      empty: { title: "customers_empty_title", text: "customers_empty_text" },
    });
    return { title: caption, body };
  },
};

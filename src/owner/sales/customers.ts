import { z } from "zod";
import { defaultPageSize } from "../../contract/query-parameters.ts";
import type { Page } from "../../contract/routes.ts";
import type { Subscription } from "../../contract/schemas.ts";
import { base64url } from "../../domain/keys/hash.ts";
import { iso } from "../../domain/text/iso.ts";
import { check, refuse } from "../../input/check.ts";
import { currency, foreignId, pageSize, text } from "../../input/fields.ts";
import { invalidOption } from "../../input/option-error.ts";
import { tokensOfCustomer } from "../../rules/audit/audit-changes.ts";
import { erasedCustomerId } from "../../rules/owner/erased-customer.ts";
import { type CustomerRow, spentIn } from "../../rules/owner/order-search.ts";
import { sealPass } from "../../rules/owner/page-pass.ts";
import type { OrderRecord, Partition } from "../../rules/records.ts";
import { renderSubscription } from "../../rules/subscriptions/render-subscription.ts";
import type { OrderSearch } from "../../storage/back-office-store.ts";
import { notFound, type OwnerContext, requireStore } from "../context.ts";
import { requireKnownStore } from "../known-store.ts";
import { readListing } from "../listing.ts";
import { readPage } from "../page.ts";
import { type OwnerOrder, renderOwnerOrder } from "./orders.ts";

/** A customer of a store. */
export interface OwnerCustomer {
  /**
   * Your own id of the customer. A guest has `cus_…`, and a new one in each
   * purchase.
   */
  readonly id: string;
  /** The e-mail of the newest order. */
  readonly email: string | null;
  readonly name: string | null;
  /**
   * There is one entry for each currency. A customer whose money never came has
   * none.
   */
  readonly totals: readonly {
    readonly currency: string;
    /** Counts the orders whose money came. */
    readonly orders: number;
    /** The sum of their totals without what was refunded, in minor units. */
    readonly spent: number;
  }[];
}

/** A customer with the newest orders and subscriptions. */
export interface OwnerCustomerDetails extends OwnerCustomer {
  /** The newest 20 orders. `owner.orders.list` with `customer_id` lists all. */
  readonly orders: readonly OwnerOrder[];
  /** The newest 20 subscriptions. `subscriptions.list` with `customer_id` lists all. */
  readonly subscriptions: readonly Subscription[];
}

/** The orders of a list of customers: by their ids, or by what they spent in one currency. */
export const customerSorts = ["id", "-id", "spent", "-spent"] as const;

const OwnerCustomerQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  /** The limit is from 1 to 100, and 20 by default. */
  limit: pageSize.nullish(),
  starting_after: z.string().nullish(),
  search: text(300).nullish(),
  /** The order of the list. It is `id` by default. */
  sort: z.enum(customerSorts).nullish(),
  /** The currency of `spent` and `-spent`, which list who paid in it. The store's by default. */
  currency: currency.nullish(),
});

/**
 * Selects the customers of a list. `search` finds the customer with this id, and those
 * of the newest 100 orders that the same `search` of `owner.orders.list` finds, in the
 * order of their newest order. It finds customers whose money never came too. It has one
 * page, and cannot be used together with `starting_after`, `sort` and `currency`. With the
 * sort `spent` or `-spent`, the list has only the customers who paid in `currency`.
 */
export interface OwnerCustomerQuery extends z.input<typeof OwnerCustomerQuery> {}

const OwnerCustomerRef = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  customer_id: foreignId,
});

/** Names one customer of a store and mode. */
export interface OwnerCustomerRef extends z.input<typeof OwnerCustomerRef> {}

const day = 86_400;
const longestOfOrder = 14 * day;

const CustomerPageLinkInput = OwnerCustomerRef.extend({
  order_id: foreignId.nullish(),
  ttl_seconds: z.int().min(60).max(longestOfOrder).nullish(),
});

/**
 * Names the customer whose orders and subscriptions the link opens. With `order_id` it opens that
 * order and its subscription alone. The link is good for `ttl_seconds`. A day is the default; the
 * maximum is a day, and 14 days with `order_id`.
 */
export interface CustomerPageLinkInput extends z.input<typeof CustomerPageLinkInput> {}

/** A link to the customer page. It works once. */
export interface CustomerPageLink {
  /** Whoever opens it sees what the customer has bought: send it to the customer alone. */
  readonly url: string;
  /** A time in ISO 8601 UTC. */
  readonly expires_at: string;
}

/** Reads the customers of a store, who are known by their orders. */
export interface OwnerCustomers {
  /**
   * Lists the customers with at least one order whose money came, by id, or as `sort` says.
   * `starting_after` takes the `next_cursor` of the page before. Throws `invalid_cursor` for one of
   * another order or currency by `spent`.
   */
  list(query: OwnerCustomerQuery): Promise<Page<OwnerCustomer>>;
  /**
   * Reads a customer. Throws `resource_not_found` for a customer without a paid
   * order in this mode.
   */
  retrieve(customer: OwnerCustomerRef): Promise<OwnerCustomerDetails>;
  /**
   * Makes a link by which a customer sees `storefront.customerPage`, once: mail it to an address
   * that you know to be the customer's. `customers.revokeTokens` ends it too. Throws
   * `invalid_option` without the option `customerPage`.
   */
  pageLink(input: CustomerPageLinkInput): Promise<CustomerPageLink>;
}

const newestShown = 20;
/** The search looks at this many of the newest orders. */
const ordersSearched = 100;

export const createCustomers = (ctx: OwnerContext): OwnerCustomers => ({
  async list(query) {
    const checked = check(OwnerCustomerQuery, query);
    const { store_id, livemode, limit, starting_after, search } = checked;
    if (search != null) {
      for (const name of ["starting_after", "sort", "currency"] as const)
        if (checked[name] != null) refuse(name, "cannot be used with search");
      return searchCustomers(ctx, { store_id, livemode, search, limit: limit ?? defaultPageSize });
    }

    if (checked.sort === "spent" || checked.sort === "-spent") return listBySpent(ctx, checked);
    if (checked.currency != null) refuse("currency", "needs the order spent or -spent");

    const read = (page: { readonly after: string | null; readonly limit: number }) =>
      ctx.storage.backOffice.listCustomers(
        { store_id, livemode },
        checked.sort === "-id" ? { ...page, descending: true } : page,
      );

    const page = await readPage({ limit, starting_after }, read, renderCustomer);
    if (page.data.length === 0) await requireKnownStore(ctx, store_id);
    return page;
  },

  async retrieve(reference) {
    const { customer_id, ...partition } = check(OwnerCustomerRef, reference);
    const { backOffice, orders } = ctx.storage;
    const [customer] = await backOffice.listCustomers(partition, { ids: [customer_id] });
    if (!customer) return notFound(ctx, partition.store_id, "customer_id");

    const newest = { ...partition, customer_id, limit: newestShown };
    const found = await listOrders(ctx, newest);
    const subscriptions = await orders.listSubscriptions(newest);
    return {
      ...renderCustomer(customer),
      orders: found.map(renderOwnerOrder),
      subscriptions: subscriptions.slice(0, newestShown).map(renderSubscription),
    };
  },

  pageLink: (input) => makePageLink(ctx, check(CustomerPageLinkInput, input)),
});

/** Reads a page whose cursor tells what its last customer had spent. */
async function listBySpent(
  ctx: OwnerContext,
  { search: _, currency, ...query }: z.output<typeof OwnerCustomerQuery>,
): Promise<Page<OwnerCustomer>> {
  const { store_id, livemode, sort } = query;
  const spent_in = currency ?? (await requireStore(ctx, store_id)).currency;
  const order = sort === "spent" ? {} : ({ descending: true } as const);
  const filters = { ...query, currency: spent_in };
  return readListing(ctx, filters, {
    name: "customers",
    read: (after, limit) =>
      ctx.storage.backOffice.listCustomers(
        { store_id, livemode },
        { spent_in, after: after && { spent: after.position, id: after.id }, limit, ...order },
      ),
    placeOf: (row) => ({ position: spentIn(row, spent_in) ?? 0, id: row.id }),
    render: renderCustomer,
  });
}

async function makePageLink(
  ctx: OwnerContext,
  { ttl_seconds, order_id, ...customer }: z.output<typeof CustomerPageLinkInput>,
): Promise<CustomerPageLink> {
  const { customerPageUrl, keyRing, randomBytes, storage } = ctx;
  if (customerPageUrl === null)
    return invalidOption(
      "customerPage",
      "is missing: give its `baseUrl`, so that links lead to it",
    );
  // All erased customers share this id.
  if (customer.customer_id === erasedCustomerId) refuse("customer_id", "names nobody");
  if (order_id == null && (ttl_seconds ?? day) > day)
    refuse("ttl_seconds", `must be at most ${day} without order_id`);
  await requireStore(ctx, customer.store_id);
  if (order_id != null) await requireOrder(ctx, { ...customer, order_id });

  const issued_at = ctx.now();
  const expires_at = issued_at + (ttl_seconds ?? day) * 1_000;
  const only = order_id == null ? null : { order_id };
  const pass = { ...customer, ...only, id: base64url(randomBytes(16)), issued_at, expires_at };
  const text = await sealPass(keyRing, "link", pass);
  await storage.audit.note(tokensOfCustomer(customer, customer.customer_id));
  return { url: `${customerPageUrl}/link/${text}`, expires_at: iso(expires_at) };
}

interface CustomersOrder extends OwnerCustomerRef {
  readonly order_id: string;
}

/** Refuses the order of another customer: its link would open nothing. */
async function requireOrder(
  { storage }: OwnerContext,
  { order_id, customer_id, ...partition }: CustomersOrder,
): Promise<void> {
  const order = await storage.orders.find("order", partition, order_id);
  if (order?.customer.id !== customer_id) refuse("order_id", "must be an order of the customer");
}

interface CustomerSearch extends Partition {
  readonly search: string;
  readonly limit: number;
}

async function searchCustomers(
  ctx: OwnerContext,
  { search, limit, ...partition }: CustomerSearch,
): Promise<Page<OwnerCustomer>> {
  const { backOffice } = ctx.storage;
  const [ofId, ofSearch] = await Promise.all([
    listOrders(ctx, { ...partition, customer_id: search, limit: 1 }),
    listOrders(ctx, { ...partition, search, limit: ordersSearched }),
  ]);

  const newestOrders = new Map<string, OrderRecord>();
  for (const order of [...ofId, ...ofSearch]) {
    const { id } = order.customer;
    if (id !== erasedCustomerId && !newestOrders.has(id)) newestOrders.set(id, order);
  }
  const ids = [...newestOrders.keys()].slice(0, limit);
  if (ids.length === 0) await requireKnownStore(ctx, partition.store_id);

  const paid = await backOffice.listCustomers(partition, { ids });
  const data = ids.map((id) => {
    const customer = paid.find((row) => row.id === id);
    const latest_order = newestOrders.get(id) ?? null;
    return renderCustomer(customer ?? { id, totals: [], latest_order });
  });
  return { data, has_more: false, next_cursor: null };
}

async function listOrders(
  { storage }: OwnerContext,
  query: OrderSearch,
): Promise<readonly OrderRecord[]> {
  const found = await storage.backOffice.searchOrders(query);
  return found.outcome === "listed" ? found.orders.slice(0, query.limit) : [];
}

const renderCustomer = ({ id, totals, latest_order }: CustomerRow): OwnerCustomer => ({
  id,
  email: latest_order?.customer.email ?? null,
  name: latest_order?.customer.name ?? null,
  totals: totals.map(({ currency, orders, spent }) => ({ currency, orders, spent })),
});

import { z } from "zod";
import type { Page } from "../contract/routes.ts";
import type { Subscription } from "../contract/schemas.ts";
import { check } from "../input/check.ts";
import { foreignId, pageSize } from "../input/fields.ts";
import { renderSubscription } from "../rules/render.ts";
import type { CustomerRow } from "../storage/back-office-store.ts";
import { notFound, type OwnerContext, requireStore } from "./context.ts";
import { type OwnerOrder, renderOwnerOrder } from "./orders.ts";
import { readPage } from "./page.ts";

/** A customer with at least one order whose money came. */
export interface OwnerCustomer {
  /** Your own id of the customer; `cus_…` for a guest, who has a new one in each purchase. */
  readonly id: string;
  /** As the newest order has it. */
  readonly email: string | null;
  readonly name: string | null;
  /** One entry for each currency. */
  readonly totals: readonly {
    readonly currency: string;
    /** Orders whose money came. */
    readonly orders: number;
    /** Their totals without what was refunded, in minor units. */
    readonly spent: number;
  }[];
}

/** A customer with the newest orders and subscriptions. */
export interface OwnerCustomerDetails extends OwnerCustomer {
  /** The newest 20. `owner.orders.list` with `customer_id` lists all. */
  readonly orders: readonly OwnerOrder[];
  /** The newest 20. `subscriptions.list` with `customer_id` lists all. */
  readonly subscriptions: readonly Subscription[];
}

const OwnerCustomerQuery = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  /** 1..100, 20 by default. */
  limit: pageSize.nullish(),
  starting_after: foreignId.nullish(),
});

/** The filters of a list of customers. */
export interface OwnerCustomerQuery extends z.input<typeof OwnerCustomerQuery> {}

const OwnerCustomerRef = z.strictObject({
  store_id: foreignId,
  livemode: z.boolean(),
  customer_id: foreignId,
});

/** Names one customer of a store and mode. */
export interface OwnerCustomerRef extends z.input<typeof OwnerCustomerRef> {}

/** The customers of a store, who are known by their orders. */
export interface OwnerCustomers {
  /** By id. `starting_after` takes the `next_cursor` of the page before. */
  list(query: OwnerCustomerQuery): Promise<Page<OwnerCustomer>>;
  /** Throws `resource_not_found` for a customer without a paid order in this mode. */
  retrieve(customer: OwnerCustomerRef): Promise<OwnerCustomerDetails>;
}

const newestShown = 20;

export const createCustomers = (ctx: OwnerContext): OwnerCustomers => ({
  async list(query) {
    const { store_id, livemode, limit, starting_after } = check(OwnerCustomerQuery, query);
    const read = (page: { readonly after: string | null; readonly limit: number }) =>
      ctx.storage.backOffice.listCustomers({ store_id, livemode }, page);

    const page = await readPage({ limit, starting_after }, read, renderCustomer);
    if (page.data.length === 0) await requireStore(ctx, store_id);
    return page;
  },

  async retrieve(reference) {
    const { customer_id, ...partition } = check(OwnerCustomerRef, reference);
    const { backOffice, orders } = ctx.storage;
    const customer = await backOffice.findCustomer(partition, customer_id);
    if (!customer) return notFound(ctx, partition.store_id, "customer_id");

    const newest = { ...partition, customer_id, limit: newestShown };
    const found = await backOffice.searchOrders(newest);
    const subscriptions = await orders.listSubscriptions(newest);
    return {
      ...renderCustomer(customer),
      orders:
        found.outcome === "listed" ? found.orders.slice(0, newestShown).map(renderOwnerOrder) : [],
      subscriptions: subscriptions.slice(0, newestShown).map(renderSubscription),
    };
  },
});

const renderCustomer = ({ id, totals, latest_order }: CustomerRow): OwnerCustomer => ({
  id,
  email: latest_order?.customer.email ?? null,
  name: latest_order?.customer.name ?? null,
  totals: totals.map(({ currency, orders, spent }) => ({ currency, orders, spent })),
});

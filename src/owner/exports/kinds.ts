import type { Page } from "../../contract/routes.ts";
import type { Partition } from "../../rules/records.ts";
import type { Refund } from "../../rules/refunds/render-refund.ts";
import type { CouponListInput } from "../catalog/coupon-list.ts";
import { createCoupons } from "../catalog/coupons.ts";
import type { OwnerProductQuery } from "../catalog/product-input.ts";
import { createProducts } from "../catalog/products.ts";
import type { OwnerContext } from "../context.ts";
import {
  createCustomers,
  type OwnerCustomer,
  type OwnerCustomerQuery,
} from "../sales/customers.ts";
import { createDisputes, type DisputeListInput } from "../sales/disputes.ts";
import { createOwnerOrders, type OwnerOrder, type OwnerOrderQuery } from "../sales/orders.ts";
import { createPayments, type PaymentListInput } from "../sales/payments.ts";
import { createRefunds, type OwnerRefundListInput } from "../sales/refunds.ts";
import { createSubscriptions, type OwnerSubscriptionListInput } from "../sales/subscriptions.ts";
import { createEvents, type EventListInput } from "../webhooks/events.ts";
import type { Column } from "./cells.ts";
import * as columns from "./columns.ts";
import { productColumns } from "./product-columns.ts";

/** Has the filters of a list, without the fields that turn its pages. */
type Filters<Query> = Omit<Query, "limit" | "starting_after">;

/**
 * The input of an export that is the same in both modes. `livemode` may be given and changes
 * nothing.
 */
interface OfStore {
  readonly store_id: string;
  readonly livemode?: boolean | null;
}

/** Each kind of export takes the filters of its list. */
export interface ExportFilters {
  readonly orders: Filters<OwnerOrderQuery>;
  /** The filters of orders. The items of those orders are exported. */
  readonly order_items: Filters<OwnerOrderQuery>;
  readonly payments: Filters<PaymentListInput>;
  readonly refunds: Filters<OwnerRefundListInput>;
  readonly disputes: Filters<DisputeListInput>;
  readonly customers: Filters<OwnerCustomerQuery>;
  readonly products: OfStore & Filters<OwnerProductQuery>;
  readonly coupons: OfStore & Filters<CouponListInput>;
  /**
   * `renews_before` is left out, because a subscription that renews meanwhile would
   * be listed twice.
   */
  readonly subscriptions: Omit<Filters<OwnerSubscriptionListInput>, "renews_before">;
  readonly events: Filters<EventListInput>;
}

/** The name of a kind of export. */
export type ExportKind = keyof ExportFilters;

interface Range {
  readonly limit: number;
  readonly starting_after: string | null;
}

export interface ExportedKind<Query> {
  /**
   * Null means that the rows have no fixed fields, so that they can only be written
   * as JSON lines.
   */
  readonly columns: readonly Column[] | null;
  read(ctx: OwnerContext, query: Query, range: Range): Promise<Page<object>>;
  /**
   * Gives the CSV rows of one row of the list. It is left out when that row is
   * written as it is.
   */
  csvRows?(row: object): readonly object[];
}

type Kinds = { readonly [Kind in ExportKind]: ExportedKind<ExportFilters[Kind]> };

export const exportedKinds: Kinds = {
  orders: {
    columns: columns.orderColumns,
    read: (ctx, query, range) => createOwnerOrders(ctx).list({ ...query, ...range }),
  },
  order_items: {
    columns: columns.orderItemColumns,
    async read(ctx, query, range) {
      const page = await createOwnerOrders(ctx).list({ ...query, ...range });
      return { ...page, data: page.data.flatMap(itemsOf) };
    },
  },
  payments: {
    columns: columns.paymentColumns,
    read: (ctx, query, range) => createPayments(ctx).list({ ...query, ...range }),
  },
  refunds: {
    columns: columns.refundColumns,
    async read(ctx, query, range) {
      const page = await createRefunds(ctx).list({ ...query, ...range });
      return { ...page, data: await withOrders(ctx, query, page.data) };
    },
  },
  disputes: {
    columns: columns.disputeColumns,
    read: (ctx, query, range) => createDisputes(ctx).list({ ...query, ...range }),
  },
  customers: {
    columns: columns.customerColumns,
    read: (ctx, query, range) => createCustomers(ctx).list({ ...query, ...range }),
    // The list gives rows of this type only.
    csvRows: (customer) => byCurrency(customer as OwnerCustomer),
  },
  products: {
    columns: productColumns,
    read: (ctx, { store_id, ...filters }, range) =>
      createProducts(ctx).list(store_id, { ...filters, ...range }),
  },
  coupons: {
    columns: columns.couponColumns,
    read: (ctx, { store_id, livemode: _, ...filters }, range) =>
      createCoupons(ctx).list(store_id, { ...filters, ...range }),
  },
  subscriptions: {
    columns: columns.subscriptionColumns,
    read: (ctx, query, range) => createSubscriptions(ctx).list({ ...query, ...range }),
  },
  events: {
    columns: null,
    read: (ctx, query, range) => createEvents(ctx).list({ ...query, ...range }),
  },
};

const itemsOf = (order: OwnerOrder): readonly columns.ExportedOrderItem[] =>
  order.items.map((item) => ({
    order_id: order.id,
    order_number: order.number,
    order_status: order.status,
    ...item,
    currency: order.currency,
    created_at: order.created_at,
    paid_at: order.paid_at,
  }));

const byCurrency = ({
  totals,
  ...customer
}: OwnerCustomer): readonly columns.CustomerInCurrency[] =>
  totals.map((total) => ({ ...customer, ...total }));

/**
 * Adds their orders to refunds. It reads one order after the other, so that a page
 * never takes all connections of a pool.
 */
async function withOrders(
  ctx: OwnerContext,
  { store_id, livemode }: Partition,
  refunds: readonly Refund[],
): Promise<readonly columns.ExportedRefund[]> {
  const rows: columns.ExportedRefund[] = [];
  for (const refund of refunds) {
    const order = await ctx.storage.orders.find("order", { store_id, livemode }, refund.order_id);
    // An order is deleted together with its refunds, by `wipeTestData`.
    if (order) rows.push({ ...refund, order_number: order.number, currency: order.currency });
  }
  return rows;
}

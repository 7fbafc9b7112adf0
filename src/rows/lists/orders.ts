import type { SessionWithOrder } from "../../rules/checkout/checkout-records.ts";
import { storedSessions, usesCoupon } from "../../rules/owner/list-records.ts";
import { movedRows, placeOfSale } from "../../rules/owner/moved-money.ts";
import { findsOrder, isListedByTime, type MoneyOfOrder } from "../../rules/owner/order-search.ts";
import type { NoteRecord, OrderRecord, Partition, SessionRecord } from "../../rules/records.ts";
import type { OrderSearch } from "../../storage/back-office-store.ts";
import type { OrderList, OrderQuery } from "../../storage/order-store.ts";
import type { AgeOrder, CouponUseQuery, SessionQuery } from "../../storage/reads/listing-store.ts";
import { afterId, by, type Compare, has, isCreatedIn, isIn, pageOf } from "../page.ts";

// Each function selects from all rows of a kind, for a storage that holds them in memory.

/** Selects orders, the newest first; with `customer_id` the caller sees those of one customer. */
export function selectOrders(
  orders: Iterable<OrderRecord>,
  query: OrderQuery & { readonly customer_id?: string },
): OrderList {
  const { status, session_id, customer_id } = query;
  const seen = [...orders].filter(
    (order) => isIn(query, order) && has(order.customer, { id: customer_id }),
  );
  const isFound = (order: OrderRecord): boolean => has(order, { status, session_id });
  return listBehind(seen, { isFound, compare: by("-number") }, query);
}

/** Selects the orders that an owner looks for, or by `paid` those that were paid in a range. */
export function searchOrders(
  orders: Iterable<OrderRecord>,
  search: OrderSearch,
  moneyOf: (order: OrderRecord) => MoneyOfOrder,
): OrderList {
  const { status, customer_id, paid, limit } = search;
  const all = [...orders].filter((order) => isIn(search, order));
  if (paid) {
    const place = { ...paid, after: paid.after && ([paid.after.at, paid.after.number] as const) };
    return { outcome: "listed", orders: movedRows(all, place, placeOfSale).slice(0, limit + 1) };
  }

  const isFound = (order: OrderRecord): boolean =>
    has(order, { status }) &&
    has(order.customer, { id: customer_id }) &&
    isCreatedIn(search, order) &&
    findsOrder(order, search, () => moneyOf(order));
  const newestFirst = isListedByTime(search) ? by("-created_at", "-number") : by("-number");
  return listBehind(all, { isFound, compare: newestFirst }, search);
}

interface Selection {
  readonly isFound: (order: OrderRecord) => boolean;
  readonly compare: Compare<Pick<OrderRecord, "created_at" | "number">>;
}

/** Lists what is found behind an order that the caller sees, with one row more. */
function listBehind(
  seen: readonly OrderRecord[],
  { isFound, compare }: Selection,
  { after, ...query }: AgeOrder & { readonly after?: string; readonly limit: number },
): OrderList {
  const last = after === undefined ? null : seen.find(({ id }) => id === after);
  if (last === undefined) return { outcome: "unknown_cursor" };

  const page = { ...query, after: last, limit: query.limit + 1 };
  return { outcome: "listed", orders: pageOf(seen.filter(isFound), compare, page) };
}

/** Selects the orders that count as a use of a coupon, the newest first. */
export function selectCouponUses(
  orders: Iterable<OrderRecord>,
  { coupon_id, after, ...query }: CouponUseQuery,
): readonly OrderRecord[] {
  const uses = [...orders].filter((order) => isIn(query, order) && usesCoupon(order, coupon_id));
  const place = after === undefined ? null : { number: after };
  return pageOf(uses, by("-number"), { ...query, after: place });
}

/** Selects checkout sessions with their orders, the newest first. */
export function selectSessions(
  sessions: Iterable<SessionRecord>,
  orderOf: (session: SessionRecord) => OrderRecord | null,
  query: SessionQuery,
): readonly SessionWithOrder[] {
  const { stored, expires_after, expired_by, ...range } = storedSessions(query);
  const found = [...sessions].filter(
    (session) =>
      isIn(query, session) &&
      stored.includes(session.status) &&
      (expires_after === null || session.expires_at > expires_after) &&
      (expired_by === null || session.expires_at <= expired_by) &&
      isCreatedIn(range, session),
  );
  return pageOf(found, by("-id"), { ...query, after: afterId(query.after) }).map((session) => ({
    session,
    order: orderOf(session),
  }));
}

/** Gives the notes of an order, the newest first. */
export const notesOf = (
  notes: Iterable<NoteRecord>,
  partition: Partition,
  order_id: string,
): readonly NoteRecord[] =>
  [...notes].filter((note) => isIn(partition, note) && note.order_id === order_id).sort(by("-id"));

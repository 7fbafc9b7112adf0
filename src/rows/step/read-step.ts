import { isOffered, type StockCount } from "../../rules/catalog/stock.ts";
import { keysWanted } from "../../rules/entitlements/key-pool.ts";
import { couponCustomerKey } from "../../rules/orders/order-customer.ts";
import { emptySnapshot, type OrderSnapshot } from "../../rules/orders/order-snapshot.ts";
import type { AttemptRecord } from "../../rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../rules/records.ts";
import { orderAfterEnd } from "../../rules/subscriptions/subscription-record.ts";
import { trialCoupon } from "../../rules/subscriptions/trial.ts";
import type { SessionSubject, StepSubject, SubscriptionSubject } from "../../storage/step-store.ts";
import type { StepReads } from "./step-rows.ts";

/** Reads all that a step decides over. */
export function readStep(rows: StepReads, subject: StepSubject): OrderSnapshot {
  const loaded = load(rows, subject);
  const { message } = subject;
  return {
    ...loaded,
    notes:
      subject.on === "order" && subject.needs === "all"
        ? rows.notesOf(subject.order_id)
        : emptySnapshot.notes,
    pools: readPools(rows, keysWanted(subject, loaded)),
    message_seen: message ? rows.isSeen(message) : false,
    key: subject.on === "session" && subject.key ? rows.findKey(subject.key) : null,
    offset: rows.offset,
  };
}

/** The rows of a snapshot. */
type Loaded = Omit<OrderSnapshot, "notes" | "pools" | "message_seen" | "key" | "offset">;

function load(rows: StepReads, subject: StepSubject): Loaded {
  switch (subject.on) {
    case "session":
      return readSession(rows, subject);
    case "order":
      return readOrder(rows, subject.order_id);
    case "subscription":
      return readSubscription(rows, subject);
  }
}

const readPools = (rows: StepReads, wanted: ReadonlyMap<string, number>): OrderSnapshot["pools"] =>
  wanted.size === 0
    ? emptySnapshot.pools
    : new Map([...wanted].map(([id, count]) => [id, rows.freeKeys(id, count)]));

/** What a step reads besides the rows: see `SessionSubject`. */
type Asked = Pick<
  SessionSubject,
  "buyer" | "new_customer_id" | "reference" | "address" | "goods_of"
>;

/** Reads a session with its order, and the goods that a payment may take. */
export function readSession(
  rows: StepReads,
  subject: Asked & Pick<SessionSubject, "session_id">,
): Loaded {
  const { session_id } = subject;
  const session = session_id === null ? null : rows.find("session", session_id);
  const order = session && rows.orderOfSession(session.id);
  const renewed = session?.renews?.subscription_id;
  const subscription = renewed === undefined ? null : rows.find("subscription", renewed);
  return loadAround(rows, { session, order, subscription }, subject);
}

/** Reads an order with its session. */
export function readOrder(rows: StepReads, order_id: string): Loaded {
  const order = rows.find("order", order_id);
  if (!order) return emptySnapshot;

  const { session_id } = order;
  const session = session_id === null ? null : rows.find("session", session_id);
  return loadAround(rows, { session, order, subscription: null }, {});
}

function readSubscription(rows: StepReads, subject: SubscriptionSubject): Loaded {
  const { subscription_id, period_start, reference } = subject;
  const subscription = rows.find("subscription", subscription_id);
  if (period_start === null) return { ...emptySnapshot, subscription };

  const ofPeriod = rows.orderOfPeriod(subscription_id, period_start);
  const order_id = ofPeriod?.id ?? orderAfterEnd(subscription, { period_start });
  const loaded = order_id === null ? emptySnapshot : readOrder(rows, order_id);
  const elsewhere = attemptsElsewhere(rows, loaded.order, reference);
  return { ...loaded, elsewhere, subscription };
}

/** Loads what belongs to a session and an order. */
function loadAround(
  rows: StepReads,
  { session, order, subscription }: Pick<Loaded, "session" | "order" | "subscription">,
  asked: Asked,
): Loaded {
  const { buyer = null, new_customer_id = "", reference = null, address = null } = asked;
  const goods = session && (asked.goods_of ?? session);
  const customer_key = goods && couponCustomerKey(goods, order, buyer, new_customer_id);
  return {
    session,
    order,
    attempts: order ? rows.ofOrder("attempt", order.id) : [],
    payments: order ? rows.ofOrder("payment", order.id) : [],
    elsewhere: attemptsElsewhere(rows, order, reference),
    refunds: order ? rows.ofOrder("refund", order.id) : [],
    disputes: order ? rows.ofOrder("dispute", order.id) : [],
    stock: goods ? stockOf(rows, [...session.lines, ...goods.lines]) : emptySnapshot.stock,
    coupon: goods && customer_key !== null ? couponOf(rows, goods, customer_key) : null,
    offered: session && offeredOf(rows, session),
    open_holds: address === null ? 0 : rows.openHolds(address),
    subscription,
  };
}

const attemptsElsewhere = (
  rows: StepReads,
  order: OrderRecord | null,
  reference: string | null,
): readonly AttemptRecord[] =>
  reference === null
    ? []
    : rows.carriersOf(reference).filter(({ order_id }) => order_id !== order?.id);

function stockOf(rows: StepReads, lines: SessionRecord["lines"]): OrderSnapshot["stock"] {
  const counts = new Map<string, StockCount>();
  for (const { product_id } of lines) {
    const count = rows.stockOf(product_id);
    if (count) counts.set(product_id, count);
  }
  return counts;
}

function couponOf(
  rows: StepReads,
  session: SessionRecord,
  customer_key: string,
): OrderSnapshot["coupon"] {
  const { coupon_id } = session;
  const coupon =
    trialCoupon(session) ?? (coupon_id === null ? null : rows.find("coupon", coupon_id));
  if (!coupon) return null;

  const used = rows.usesOf(coupon.id, "");
  return { ...coupon, used, customer_key, used_by_customer: rows.usesOf(coupon.id, customer_key) };
}

function offeredOf(rows: StepReads, { lines }: SessionRecord): ReadonlySet<string> {
  const offered = new Set<string>();
  for (const { product_id } of lines) {
    const product = rows.find("product", product_id);
    if (product && isOffered(product)) offered.add(product_id);
  }
  return offered;
}

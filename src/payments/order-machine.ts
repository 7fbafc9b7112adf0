import type { EventType } from "../contract/events.ts";
import { renderOrder, renderSession } from "../contract/render.ts";
import type { FailureCode, OrderStatus } from "../contract/schemas.ts";
import { judgeCoupon } from "../domain/coupon.ts";
import { fold } from "../domain/fold.ts";
import type { BuyerFacts, Cancellation, Completion, OrderIds, PaymentApplication, Submission } from "../storage/order-store.ts";
import type { AlertRecord, AttemptRecord, CartCoupon, EventDraft, OrderRecord, SessionRecord } from "../storage/records.ts";
import type { StockChange } from "../storage/stock.ts";

// The transitions of CONTRACT 6 as pure functions: a snapshot that the storage has locked goes in, the outcome and all that is to be written
// comes out. Storage keeps the guards in its statements; nothing here reads or writes.

export interface Snapshot {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord | null;
  /** All of the order. */
  readonly attempts: readonly AttemptRecord[];
  /** Pieces free in this mode by product id; absent = not counted. */
  readonly on_hand: ReadonlyMap<string, number>;
  readonly coupon: (CartCoupon & { readonly used_by_customer: number }) | null;
}

export interface CouponChange {
  readonly coupon_id: string;
  readonly used_delta: 1 | -1;
  readonly customer_key: string;
  readonly guarded: boolean;
}

/** All that a step writes. An order whose `number` is 0 is new and gets the next one. */
export interface OrderChanges {
  readonly session: SessionRecord | null;
  readonly order: OrderRecord;
  readonly attempts: readonly AttemptRecord[];
  readonly stock: readonly StockChange[];
  readonly coupon: CouponChange | null;
  readonly events: readonly EventDraft[];
  readonly alerts: readonly AlertRecord[];
}

export interface Decision<Outcome extends string> {
  readonly outcome: Outcome;
  readonly order: OrderRecord | null;
  readonly attempt: AttemptRecord | null;
  readonly changes: OrderChanges | null;
}

const nothing = <O extends string>(outcome: O, snapshot?: Snapshot, attempt: AttemptRecord | null = null): Decision<O> => ({
  outcome,
  order: snapshot?.order ?? null,
  attempt,
  changes: null,
});

/** How a buyer is counted by a coupon: by id when the host knows them, else by folded e-mail. */
export const customerKey = (order: Pick<OrderRecord, "customer">, known: boolean): string => {
  const { id, email } = order.customer;
  return known || email === null ? `id:${id}` : `email:${fold(email)}`;
};

/** The customer key that a submission by this buyer will count under. */
export function buyerKey(session: SessionRecord, order: OrderRecord | null, buyer: BuyerFacts | undefined, new_customer: string): string {
  const id = session.customer_id ?? buyer?.id ?? order?.customer.id ?? new_customer;
  const email = buyer?.email ?? order?.customer.email ?? session.email;
  return customerKey(
    { customer: { id, email, name: null, discord_id: null, tax_id: null, tax_id_type: null, country: null } },
    session.customer_id !== null || (buyer?.id ?? null) !== null,
  );
}

export type SubmissionOutcome =
  | "submitted"
  | "attempted"
  | "already_paid"
  | "unknown_session"
  | "session_expired"
  | "session_not_open"
  | "insufficient_stock"
  | "coupon_invalid";

export function decideSubmission(snapshot: Snapshot, command: Submission): Decision<SubmissionOutcome> {
  const { session, order, attempts } = snapshot;
  if (!session) return nothing("unknown_session");
  const repeated = attempts.find(
    (attempt) =>
      attempt.id === command.attempt.id ||
      (attempt.idempotency_key !== null && attempt.idempotency_key === command.attempt.idempotency_key),
  );
  if (order && repeated) return nothing("attempted", snapshot, repeated);
  if (order && isPaid(order.status)) return nothing("already_paid", snapshot);
  const inFlight = attempts.find((attempt) => attempt.state === "in_flight");
  if (order && inFlight) return nothing("attempted", snapshot, inFlight);
  if (session.status === "complete") return nothing("session_not_open", snapshot);
  if (command.now >= session.expires_at) return nothing("session_expired", snapshot);

  const draft = order
    ? { ...order, customer: mergeBuyer(order.customer, command.buyer) }
    : newOrder(session, command.ids, command.buyer, command.now);
  const known = command.buyer.id !== null || session.customer_id !== null;
  const taking = order?.holds !== "held";
  if (taking) {
    const refusal = refuseHolds(snapshot, session, command.now);
    if (refusal) return nothing(refusal, snapshot);
  }
  const free = session.amount_total === 0;
  const events = eventWriter(command.ids.events, command.now);
  const pending: OrderRecord = {
    ...draft,
    status: "pending",
    failure_code: null,
    holds: "held",
    payment_method_type: command.payment_method_type,
    updated_at: command.now,
  };
  if (!order) events.order("order.created", pending, null);
  const held: Omit<OrderChanges, "session" | "order" | "attempts" | "events" | "alerts"> = taking
    ? { stock: stockOf(session, 0, 1, true), coupon: couponOf(session, pending, known, 1, true) }
    : { stock: [], coupon: null };

  if (free) {
    const paid = paidOrder(pending, command.now);
    const complete = completeSessionRecord(session);
    events.order("order.paid", paid, "pending");
    events.completed(complete, command.checkout_url, paid);
    const stock = taking ? stockOf(session, -1, 0, true) : stockOf(session, -1, -1, false);
    return {
      outcome: "submitted",
      order: paid,
      attempt: null,
      changes: { ...held, stock, session: complete, order: paid, attempts: [], events: events.drafts, alerts: [] },
    };
  }
  const attempt: AttemptRecord = {
    store_id: session.store_id,
    livemode: session.livemode,
    ...command.attempt,
    order_id: pending.id,
    session_id: session.id,
    state: "in_flight",
    reference: null,
    redirect_url: null,
    amount: session.amount_total,
    currency: session.currency,
    failure_code: null,
    created_at: command.now,
    updated_at: command.now,
  };
  return {
    outcome: "submitted",
    order: pending,
    attempt,
    changes: {
      ...held,
      session: { ...session, payment_status: "pending" },
      order: pending,
      attempts: [attempt],
      events: events.drafts,
      alerts: [],
    },
  };
}

export type PaymentOutcome = "paid" | "failed" | "pending" | "unchanged" | "duplicate" | "mismatch" | "unknown_attempt";

export function decidePayment(snapshot: Snapshot, command: PaymentApplication): Decision<PaymentOutcome> {
  const { session, order, attempts } = snapshot;
  const attempt = attempts.find((candidate) => candidate.id === command.attempt_id);
  if (!order || !attempt) return nothing("unknown_attempt");
  const { result, now } = command;
  const noted: AttemptRecord = {
    ...attempt,
    reference: result.reference ?? attempt.reference,
    redirect_url: result.redirect_url ?? attempt.redirect_url,
    expires_at: result.expires_at ?? attempt.expires_at,
    updated_at: now,
  };
  if (attempt.state === "succeeded" || attempt.state === "duplicate") return nothing("unchanged", snapshot, attempt);

  if (result.status === "pending") {
    if (attempt.state !== "in_flight") return nothing("unchanged", snapshot, attempt);
    return { outcome: "pending", order, attempt: noted, changes: { ...onlyAttempt(order, noted) } };
  }
  if (result.status === "failed") {
    if (attempt.state === "failed") return nothing("unchanged", snapshot, attempt);
    const failed: AttemptRecord = { ...noted, state: "failed", failure_code: result.failure_code ?? "declined" };
    if (order.status !== "pending") return { outcome: "unchanged", order, attempt: failed, changes: onlyAttempt(order, failed) };
    return failOrder(snapshot, order, failed.failure_code ?? "declined", failed, command.ids.events, now, "failed");
  }

  if (result.amount !== order.amount_total || result.currency !== order.currency) {
    const alerts = [alert(order, "payment_mismatch", attempt.id, { reference: noted.reference }, command.ids.alerts[0], now)];
    return { outcome: "mismatch", order, attempt: noted, changes: { ...onlyAttempt(order, noted), alerts } };
  }
  if (isPaid(order.status)) {
    const duplicate: AttemptRecord = { ...noted, state: "duplicate" };
    const alerts = [alert(order, "duplicate_payment", order.id, { attempt_id: attempt.id }, command.ids.alerts[0], now)];
    return { outcome: "duplicate", order, attempt: duplicate, changes: { ...onlyAttempt(order, duplicate), alerts } };
  }
  const succeeded: AttemptRecord = { ...noted, state: "succeeded" };
  return payOrder(snapshot, order, session, succeeded, command, "paid");
}

export type CompletionOutcome =
  | "paid"
  | "failed"
  | "unchanged"
  | "duplicate"
  | "mismatch"
  | "unknown_session"
  | "session_expired"
  | "insufficient_stock"
  | "coupon_invalid";

/** `checkout.complete`: the money is there, so nothing refuses it but a wrong amount. */
export function decideCompletion(snapshot: Snapshot, command: Completion): Decision<CompletionOutcome> {
  const { session, attempts } = snapshot;
  if (!session) return nothing("unknown_session");
  const repeated = attempts.find(
    (attempt) => attempt.id === command.attempt_id || (attempt.gateway === hostGateway && attempt.reference === command.reference),
  );
  if (repeated && snapshot.order && (repeated.state !== "failed" || command.status === "failed"))
    return nothing("unchanged", snapshot, repeated);
  if (command.amount !== session.amount_total || command.currency !== session.currency) return nothing("mismatch", snapshot);

  const { order } = snapshot;
  const base = order
    ? {
        ...order,
        customer: mergeBuyer(order.customer, command.buyer),
        payment_method_type: command.payment_method_type ?? order.payment_method_type,
      }
    : { ...newOrder(session, command.ids, command.buyer, command.now), payment_method_type: command.payment_method_type };
  const attempt: AttemptRecord = {
    store_id: session.store_id,
    livemode: session.livemode,
    id: repeated?.id ?? command.attempt_id,
    order_id: base.id,
    session_id: session.id,
    gateway: hostGateway,
    method_id: null,
    state: command.status === "paid" ? "succeeded" : "failed",
    reference: command.reference,
    redirect_url: null,
    amount: command.amount,
    currency: command.currency,
    failure_code: command.status === "paid" ? null : "declined",
    idempotency_key: null,
    expires_at: command.now,
    created_at: command.now,
    updated_at: command.now,
  };
  if (command.status === "failed") return failByHost(snapshot, session, base, attempt, command);
  if (order && isPaid(order.status)) {
    const duplicate: AttemptRecord = { ...attempt, state: "duplicate" };
    const alerts = [alert(order, "duplicate_payment", order.id, { attempt_id: attempt.id }, command.ids.alerts[0], command.now)];
    return { outcome: "duplicate", order, attempt: duplicate, changes: { ...onlyAttempt(order, duplicate), alerts } };
  }
  return payOrder(snapshot, base, session, attempt, command, "paid");
}

/** Attempts that the host's own code made carry this as their gateway. */
export const hostGateway = "host";

function failByHost(
  snapshot: Snapshot,
  session: SessionRecord,
  base: OrderRecord,
  attempt: AttemptRecord,
  command: Completion,
): Decision<CompletionOutcome> {
  const { order } = snapshot;
  if (order && order.status !== "pending") return { outcome: "unchanged", order, attempt, changes: onlyAttempt(order, attempt) };
  if (order) return failOrder(snapshot, base, "declined", attempt, command.ids.events, command.now, "failed");
  if (command.now >= session.expires_at) return nothing("session_expired", snapshot);
  const events = eventWriter(command.ids.events, command.now);
  const failed: OrderRecord = { ...base, status: "failed", failure_code: "declined" };
  events.order("order.created", { ...base, status: "pending" }, null);
  events.order("order.failed", failed, "pending");
  return {
    outcome: "failed",
    order: failed,
    attempt,
    changes: { session: null, order: failed, attempts: [attempt], stock: [], coupon: null, events: events.drafts, alerts: [] },
  };
}

export type CancellationOutcome = "canceled" | "unchanged" | "in_flight" | "no_order" | "unknown_session";

export function decideCancellation(snapshot: Snapshot, command: Cancellation): Decision<CancellationOutcome> {
  const { session, order, attempts } = snapshot;
  if (!session) return nothing("unknown_session");
  if (!order) return nothing("no_order");
  if (order.status !== "pending") return nothing("unchanged", snapshot);
  if (attempts.some((attempt) => attempt.state === "in_flight")) return nothing("in_flight", snapshot);
  return failOrder(snapshot, order, "canceled", null, command.ids.events, command.now, "canceled");
}

function payOrder<O extends string>(
  snapshot: Snapshot,
  before: OrderRecord,
  session: SessionRecord | null,
  attempt: AttemptRecord,
  command: Pick<Completion, "ids" | "now" | "checkout_url"> | PaymentApplication,
  outcome: O,
): Decision<O> {
  const { now } = command;
  const isNew = snapshot.order === null;
  const events = eventWriter(command.ids.events, now);
  const pending: OrderRecord = isNew ? { ...before, status: "pending" } : before;
  if (isNew) events.order("order.created", pending, null);
  const paid = paidOrder(before, now);
  events.order("order.paid", paid, isNew ? "pending" : (snapshot.order?.status ?? null));
  const complete = session && completeSessionRecord(session);
  if (complete) events.completed(complete, command.checkout_url, paid);

  // A hold is consumed; without one the goods are taken unguarded, for the money is there, and the owner is told.
  const held = before.holds === "held";
  const alerts: AlertRecord[] = [];
  const stock = session ? (held ? stockOf(session, -1, -1, false) : stockOf(session, -1, 0, false)) : [];
  const coupon = session && !held ? couponOf(session, paid, session.customer_id !== null, 1, false) : null;
  if (session && !held) {
    const short = sums(session).some(([product_id, quantity]) => (snapshot.on_hand.get(product_id) ?? quantity) < quantity);
    if (short) alerts.push(alert(paid, "oversold", paid.id, {}, command.ids.alerts[0], now));
    const { coupon: facts } = snapshot;
    if (coupon && facts && facts.max_uses !== null && facts.used >= facts.max_uses) {
      alerts.push(alert(paid, "coupon_overused", paid.id, { coupon_id: facts.id }, command.ids.alerts[1], now));
    }
  }
  return {
    outcome,
    order: paid,
    attempt,
    changes: { session: complete, order: paid, attempts: [attempt], stock, coupon, events: events.drafts, alerts },
  };
}

function failOrder<O extends string>(
  snapshot: Snapshot,
  order: OrderRecord,
  failure_code: FailureCode,
  attempt: AttemptRecord | null,
  eventIds: readonly string[],
  now: number,
  outcome: O,
): Decision<O> {
  const { session } = snapshot;
  const failed: OrderRecord = { ...order, status: "failed", failure_code, holds: "none", updated_at: now };
  const events = eventWriter(eventIds, now);
  events.order("order.failed", failed, order.status);
  const release = session && order.holds === "held";
  return {
    outcome,
    order: failed,
    attempt,
    changes: {
      session: session && { ...session, payment_status: "unpaid" },
      order: failed,
      attempts: attempt ? [attempt] : [],
      stock: release ? stockOf(session, 0, -1, false) : [],
      coupon: release ? couponOf(session, order, session.customer_id !== null, -1, false) : null,
      events: events.drafts,
      alerts: [],
    },
  };
}

const isPaid = (status: OrderStatus): boolean => status !== "pending" && status !== "failed";

const paidOrder = (order: OrderRecord, now: number): OrderRecord => ({
  ...order,
  status: "paid",
  failure_code: null,
  holds: "consumed",
  paid_at: now,
  updated_at: now,
});

const completeSessionRecord = (session: SessionRecord): SessionRecord => ({ ...session, status: "complete", payment_status: "paid" });

const onlyAttempt = (order: OrderRecord, attempt: AttemptRecord): OrderChanges => ({
  session: null,
  order,
  attempts: [attempt],
  stock: [],
  coupon: null,
  events: [],
  alerts: [],
});

function refuseHolds(snapshot: Snapshot, session: SessionRecord, now: number): "insufficient_stock" | "coupon_invalid" | null {
  for (const [product_id, quantity] of sums(session)) {
    const free = snapshot.on_hand.get(product_id);
    if (free !== undefined && free < quantity) return "insufficient_stock";
  }
  if (session.coupon_id === null) return null;
  const { coupon } = snapshot;
  const overused = coupon !== null && coupon.max_uses_per_customer !== null && coupon.used_by_customer >= coupon.max_uses_per_customer;
  const cart = { currency: session.currency, lines: session.lines };
  return overused || !judgeCoupon(coupon, cart, now) ? "coupon_invalid" : null;
}

/** Pieces by product, summed over lines, by id: the lock order. */
export function sums(session: SessionRecord): readonly (readonly [product_id: string, quantity: number])[] {
  const quantities = new Map<string, number>();
  for (const line of session.lines) quantities.set(line.product_id, (quantities.get(line.product_id) ?? 0) + line.quantity);
  return [...quantities].sort(([a], [b]) => (a < b ? -1 : 1));
}

const stockOf = (session: SessionRecord, stock: -1 | 0, held: -1 | 0 | 1, guarded: boolean): StockChange[] =>
  sums(session).map(([product_id, quantity]) => ({ product_id, stock_delta: stock * quantity, held_delta: held * quantity, guarded }));

const couponOf = (session: SessionRecord, order: OrderRecord, known: boolean, used_delta: 1 | -1, guarded: boolean): CouponChange | null =>
  session.coupon_id === null ? null : { coupon_id: session.coupon_id, used_delta, customer_key: customerKey(order, known), guarded };

function newOrder(session: SessionRecord, ids: OrderIds, buyer: BuyerFacts, now: number): OrderRecord {
  return {
    store_id: session.store_id,
    livemode: session.livemode,
    id: ids.order,
    number: 0,
    status: "pending",
    session_id: session.id,
    subscription_id: null,
    currency: session.currency,
    amount_subtotal: session.amount_subtotal,
    amount_discount: session.amount_discount,
    amount_total: session.amount_total,
    amount_refunded: 0,
    amount_refunding: 0,
    coupon_id: session.coupon_id,
    coupon_code: session.coupon_code,
    items: session.lines.map((line, index) => ({
      id: ids.items[index] ?? "",
      product_id: line.product_id,
      product_slug: line.product_slug,
      name: line.name,
      image_url: line.image_url,
      quantity: line.quantity,
      unit_amount: line.unit_amount,
      amount_subtotal: line.amount_subtotal,
      amount_discount: line.amount_discount,
      amount_total: line.amount_total,
      variables: { ...line.variables },
    })),
    customer: mergeBuyer(
      {
        id: session.customer_id ?? ids.customer,
        email: session.email,
        name: null,
        discord_id: session.discord_id,
        tax_id: null,
        tax_id_type: null,
        country: null,
      },
      // The session's buyer token is the authority over whose order it is.
      session.customer_id === null ? buyer : { ...buyer, id: null },
    ),
    payment_method_type: null,
    failure_code: null,
    metadata: session.metadata,
    holds: "none",
    status_before_dispute: null,
    created_at: now,
    updated_at: now,
    paid_at: null,
    refunded_at: null,
    disputed_at: null,
  };
}

const mergeBuyer = (customer: OrderRecord["customer"], buyer: BuyerFacts): OrderRecord["customer"] => ({
  id: buyer.id ?? customer.id,
  email: buyer.email ?? customer.email,
  name: buyer.name ?? customer.name,
  discord_id: buyer.discord_id ?? customer.discord_id,
  tax_id: buyer.tax_id ?? customer.tax_id,
  tax_id_type: buyer.tax_id_type ?? customer.tax_id_type,
  country: buyer.country ?? customer.country,
});

function alert(
  order: OrderRecord,
  type: string,
  subject: string,
  data: Record<string, unknown>,
  id: string | undefined,
  now: number,
): AlertRecord {
  return {
    id: id ?? "",
    store_id: order.store_id,
    livemode: order.livemode,
    type,
    subject,
    data: { order_id: order.id, ...data },
    created_at: now,
  };
}

/** Drafts in the order of their sequence; a new order's number is known only inside the step. */
function eventWriter(ids: readonly string[], now: number) {
  const drafts: EventDraft[] = [];
  const add = (type: EventType, data: EventDraft["data"]): void => {
    drafts.push({ id: ids[drafts.length] ?? "", type, created_at: now, data });
  };
  return {
    drafts,
    order: (type: EventType, order: OrderRecord, previous_status: OrderStatus | null): void =>
      add(type, (number) => ({ order: renderOrder({ ...order, number: order.number || number }), previous_status })),
    completed: (session: SessionRecord, checkout_url: string, order: OrderRecord): void =>
      add("checkout.session.completed", (number) => ({
        checkout_session: renderSession(session, checkout_url, now),
        order: { id: order.id, number: order.number || number, status: order.status },
      })),
  };
}

import type { StockCount } from "../../src/rules/catalog/stock.ts";
import type { Decision } from "../../src/rules/orders/order-changes.ts";
import type {
  Completion,
  PaymentApplication,
  Submission,
} from "../../src/rules/orders/order-commands.ts";
import { emptySnapshot, type OrderSnapshot } from "../../src/rules/orders/order-snapshot.ts";
import { decideSubmission } from "../../src/rules/orders/order-submission.ts";
import { decidePayment } from "../../src/rules/payments/order-payment.ts";
import type { AttemptRecord } from "../../src/rules/payments/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../src/rules/records.ts";

const partition = { store_id: "str_a", livemode: false };
export const now = Date.UTC(2026, 0, 1);
const nobody = {
  id: null,
  email: null,
  name: null,
  discord_id: null,
  tax_id: null,
  tax_id_type: null,
  country: null,
};

const line = (product_id: string, quantity: number): SessionRecord["lines"][number] => ({
  id: `li_${product_id}`,
  product_id,
  product_slug: product_id,
  name: product_id,
  image_url: null,
  quantity,
  unit_amount: 500,
  amount_subtotal: 500 * quantity,
  amount_discount: 0,
  amount_total: 500 * quantity,
  variables: {},
  recurring: null,
});
export const session: SessionRecord = {
  ...partition,
  id: "cs_1",
  status: "open",
  payment_status: "unpaid",
  expires_at: now + 1_800_000,
  created_at: now,
  currency: "BRL",
  amount_subtotal: 2000,
  amount_discount: 0,
  amount_total: 2000,
  // One product stands on two lines, so its holds are summed.
  lines: [line("b", 1), line("a", 2), line("b", 1)],
  coupon_id: "cpn_1",
  coupon_code: "CODE",
  email: "Ana@Example.com",
  discord_id: null,
  customer_id: null,
  success_url: "https://a.example.com/ok",
  cancel_url: "https://a.example.com/no",
  metadata: { seen: true },
  seal_key_id: "k",
  checkout_url: null,
};
export const coupon: NonNullable<OrderSnapshot["coupon"]> = {
  id: "cpn_1",
  store_id: "str_a",
  code: "CODE",
  enabled: true,
  discount_type: "percentage",
  discount_amount: 10,
  currency: null,
  min_subtotal: null,
  min_subtotal_currency: null,
  product_ids: null,
  starts_at: null,
  ends_at: null,
  max_uses: 5,
  max_uses_per_customer: null,
  created_at: now,
  used: 0,
  customer_key: "email:ana@example.com",
  used_by_customer: 0,
};
/** A count of which nothing is held. */
export const pieces = (stock: number): StockCount => ({ stock, held: 0, counted: true });
export const fresh: OrderSnapshot = {
  ...emptySnapshot,
  session,
  stock: new Map([["a", pieces(2)]]),
  coupon,
};
const ids = {
  order: "ord_1",
  customer: "cus_1",
  items: ["oi_1", "oi_2", "oi_3"],
  events: ["evt_1", "evt_2", "evt_3", "evt_4"],
  alerts: ["alr_1", "alr_2"],
  subscription: "sub_1",
};
export const base = {
  ...partition,
  session_id: session.id,
  ids,
  now: now + 1,
  external_stock: false,
  buyer: nobody,
};
export const submission: Submission = {
  ...base,
  payment_method_type: "pix",
  attempt: {
    id: "pay_1",
    gateway: "sandbox",
    account: null,
    method_id: "pm_1",
    idempotency_key: null,
    expires_at: now + 3_600_000,
  },
};
export const completion: Completion = {
  ...base,
  attempt_id: "pay_9",
  reference: "r1",
  status: "paid",
  amount: 2000,
  currency: "BRL",
  payment_method_type: null,
};
export const told = (
  status: PaymentApplication["result"]["status"],
  changes: Partial<PaymentApplication["result"]> = {},
): PaymentApplication => ({
  ...partition,
  attempt_id: "pay_1",
  session_id: "cs_1",
  ids,
  now: now + 2,
  external_stock: false,
  result: {
    status,
    reference: "ref",
    payment_reference: null,
    next_action: null,
    amount: 2000,
    currency: "BRL",
    failure_code: null,
    expires_at: null,
    ...changes,
  },
});

/** The snapshot that the next step finds once the decision is written. */
export function written(before: OrderSnapshot, { changes }: Decision<unknown>): OrderSnapshot {
  const order = changes?.order;
  if (!changes || !order) return before;
  const attempts = before.attempts.filter(
    (attempt) => !changes.attempts.some(({ id }) => id === attempt.id),
  );
  return {
    ...before,
    session: changes.session ?? before.session,
    order: { ...order, number: order.number || 7 },
    attempts: [...attempts, ...changes.attempts],
  };
}
export const pending = written(fresh, decideSubmission(fresh, submission));
export const pendingOrder = pending.order as OrderRecord;
export const firstAttempt = pending.attempts[0] as AttemptRecord;
/** The pending order before anything was sent to a gateway. */
export const idle: OrderSnapshot = { ...pending, attempts: [] };
export const failed = written(
  pending,
  decidePayment(pending, told("failed", { failure_code: "fraud" })),
);
export const paid = written(pending, decidePayment(pending, told("succeeded")));
export const withStatus = (
  snapshot: OrderSnapshot,
  status: OrderRecord["status"],
): OrderSnapshot => ({
  ...snapshot,
  order: snapshot.order && { ...snapshot.order, status },
});
export const types = (decision: Decision<unknown>) =>
  decision.changes?.events.map(({ type }) => type);
export const dataOf = (decision: Decision<unknown>, index: number) =>
  decision.changes?.events[index]?.data(7);

export const held = [
  { product_id: "a", stock_delta: 0, held_delta: 2, guarded: true },
  { product_id: "b", stock_delta: 0, held_delta: 2, guarded: true },
];
export const stock = (stock_delta: -2 | 0, held_delta: -2 | 0) =>
  ["a", "b"].map((product_id) => ({ product_id, stock_delta, held_delta, guarded: false }));

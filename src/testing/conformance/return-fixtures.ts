import type { PaymentRecord } from "../../rules/payment-records.ts";
import type { OrderRecord } from "../../rules/records.ts";
import type { RefundMessage, RefundNews } from "../../rules/refund-commands.ts";
import type { PaymentReturn, ReturnSettlement } from "../../rules/return-commands.ts";
import { applyPayment, completeSession } from "../../steps/checkout-steps.ts";
import type { CaseContext } from "./case.ts";
import { fixtures } from "./fixtures.ts";
import { paymentFixtures } from "./payment-fixtures.ts";
import { refundFixtures } from "./refund-fixtures.ts";

/** Pays an order twice, and makes the commands that send the second payment back. */
export function returnFixtures(context: CaseContext) {
  const { storage, clock } = context;
  const { shop, openSession, completion, orderIds, partition } = fixtures(context);
  const { start, result } = paymentFixtures(context);
  const { refundMessage } = refundFixtures(context);

  /**
   * Pays an order twice: the host completes it, and the payment that was in flight
   * succeeds too.
   */
  const paidTwice = async (returns_duplicates = false): Promise<PaidTwice> => {
    await shop();
    const session = await openSession();
    const attempt = await start(session);
    await completeSession(storage.orders, completion(session));

    const late = { ...result(attempt, "succeeded"), returns_duplicates };
    const applied = await applyPayment(storage.orders, late);
    const money = await storage.orders.find("payment", partition, attempt.id);
    if (applied.outcome !== "duplicate" || !money) throw new Error("The order is not paid twice.");
    return { order: applied.order, money };
  };

  const starting = (
    { order_id, id }: PaymentRecord,
    changes: Partial<PaymentReturn> = {},
  ): PaymentReturn => ({
    ...partition,
    order_id,
    payment_id: id,
    asked_by: "owner",
    can_ask: true,
    ids: orderIds(),
    now: clock.now(),
    ...changes,
  });

  const settling = (
    { order_id, id }: PaymentRecord,
    key_attempt: number,
    news: Partial<RefundNews> | "no_answer",
  ): ReturnSettlement => ({
    ...partition,
    order_id,
    payment_id: id,
    key_attempt,
    news:
      news === "no_answer"
        ? news
        : { status: "succeeded", reference: null, amount: null, failure_reason: null, ...news },
    ids: orderIds(),
    now: clock.now(),
  });

  let messages = 0;
  /** Makes the provider's message about a refund of the money. */
  const message = async (
    { order, money }: PaidTwice,
    news: Pick<RefundMessage["news"], "reference" | "amount" | "status">,
    changes: Partial<RefundMessage> = {},
  ): Promise<RefundMessage> => {
    messages += 1;
    const notification_id = `m${messages}`;
    const told = await refundMessage(order, { notification_id, ...news });
    const { payment_reference } = money;
    return { ...told, money: { ...told.money, payment_reference }, ...changes };
  };

  /** Gives the state of the money and of its attempt, and what went back of it. */
  const stateOf = async ({ id }: PaymentRecord): Promise<readonly unknown[]> => {
    const money = await storage.orders.find("payment", partition, id);
    const attempt = await storage.orders.find("attempt", partition, id);
    const sent = money?.sent_back.filter(({ state }) => state === "succeeded") ?? [];
    return [money?.state, attempt?.state, sent.reduce((sum, { amount }) => sum + amount, 0)];
  };

  return { paidTwice, starting, settling, message, stateOf };
}

export interface PaidTwice {
  readonly order: OrderRecord;
  /** The second payment. */
  readonly money: PaymentRecord;
}

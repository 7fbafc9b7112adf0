import type { PaymentApplication } from "../../rules/order-commands.ts";
import type { AttemptRecord } from "../../rules/payment-records.ts";
import type { OrderRecord, SessionRecord } from "../../rules/records.ts";
import { applyPayment, submitSession } from "../../steps/checkout-steps.ts";
import type { CaseContext } from "./case.ts";
import { fixtures } from "./fixtures.ts";

type Submission = ReturnType<ReturnType<typeof fixtures>["submission"]>;

/** Starts payments, makes their results and brings orders to `paid`. */
export function paymentFixtures(context: CaseContext) {
  const { storage, clock } = context;
  const { shop, session, openSession, submission, orderIds, partition } = fixtures(context);

  /** Submits the session and gives the attempt that is to be charged. */
  const start = async (
    opened: SessionRecord,
    changes: Partial<Submission> = {},
  ): Promise<AttemptRecord> => {
    const submitted = await submitSession(storage.orders, submission(opened, changes));
    if (submitted.outcome !== "submitted" || !submitted.attempt)
      throw new Error(`Not submitted: ${submitted.outcome}.`);
    return submitted.attempt;
  };

  const result = (
    attempt: AttemptRecord,
    status: PaymentApplication["result"]["status"],
    changes: Partial<PaymentApplication["result"]> = {},
  ): PaymentApplication => ({
    ...partition,
    attempt_id: attempt.id,
    session_id: attempt.session_id,
    result: {
      status,
      reference: `ref_${attempt.id}`,
      payment_reference: null,
      next_action: null,
      amount: attempt.amount,
      currency: attempt.currency,
      failure_code: null,
      expires_at: null,
      ...changes,
    },
    ids: orderIds(),
    now: clock.now(),
    external_stock: false,
  });

  /** Sells one piece; with `monthly` the product is a subscription. */
  const paidOrder = async (monthly = false): Promise<OrderRecord> => {
    await shop();
    const recurring = monthly ? ({ interval: "month", interval_count: 1 } as const) : null;
    const lines = session().lines.map((line) => ({ ...line, recurring }));
    const attempt = await start(await openSession({ lines }));

    const paid = await applyPayment(storage.orders, result(attempt, "succeeded"));
    if (paid.outcome !== "paid") throw new Error(`Not paid: ${paid.outcome}.`);
    return paid.order;
  };

  const alerts = async (): Promise<readonly string[]> => {
    const listed = await storage.access.listAlerts(partition.store_id, {
      before: null,
      limit: 100,
    });
    return listed.map(({ type }) => type).sort();
  };

  return { start, result, paidOrder, alerts };
}

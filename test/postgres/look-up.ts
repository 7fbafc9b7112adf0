import { expect } from "vitest";
import type { CaseContext } from "../../src/testing/conformance/case.ts";
import { fixtures } from "../../src/testing/conformance/fixtures.ts";
import { paymentFixtures } from "../../src/testing/conformance/payment-fixtures.ts";
import { refundFixtures } from "../../src/testing/conformance/refund-fixtures.ts";

/** Does what concerns a few rows of a store: nothing here may read all of them. */
export async function lookUp(context: CaseContext): Promise<void> {
  const { storage } = context;
  const { partition, session, openSession } = fixtures(context);
  const { start, result } = paymentFixtures(context);
  const { orders, backOffice } = storage;
  const [line] = session().lines;
  if (!line) throw new Error("no line");

  const attempt = await start(await openSession({ lines: [{ ...line, product_id: "prod_sold" }] }));
  const paid = await orders.applyPayment(result(attempt, "succeeded"));
  if (paid.outcome !== "paid") throw new Error(`Not paid: ${paid.outcome}.`);
  const reference = paid.order.id;
  const refunded = await orders.reserveRefund(
    refundFixtures(context).refund(paid.order, { reference, amount: 1 }),
  );
  expect(refunded.outcome).toBe("reserved");

  const order_id = paid.order.id;
  expect(await orders.listRefunds({ ...partition, order_id, limit: 20 })).toHaveLength(1);
  expect(await orders.listPayments(partition, order_id)).toHaveLength(1);
  expect((await backOffice.findHistory(partition, order_id))?.attempts).toHaveLength(1);
  const sandbox = { gateway: "sandbox", account: null, livemode: false };
  await orders.findAttempts({ ...sandbox, references: ["ref_7"], payment_id: null });
  for (const search of ["ref_7", "ord_7", "cs_7"])
    expect(await backOffice.searchOrders({ ...partition, search, limit: 20 })).toMatchObject({
      outcome: "listed",
      orders: [{ id: "ord_7" }],
    });
}

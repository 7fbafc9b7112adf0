import type { RefundRequest } from "../../payments/gateway/gateway.ts";
import type { GatewayCase, GatewayContext } from "./case.ts";

/** Makes a payment that succeeded, and the request of a refund of it. */
async function paidRefund(
  { gateway, request, succeeds }: GatewayContext,
  changes: Partial<RefundRequest> = {},
): Promise<RefundRequest> {
  const asked = request(succeeds);
  const { reference, payment_reference = null } = await gateway.createPayment(asked);
  const { store_id, account, signal, amount, currency, order_id } = asked;
  const id = asked.id.replace(/^pay_/, "rf_");
  return {
    id,
    repeat: false,
    store_id,
    account,
    signal,
    reference,
    payment_reference,
    amount,
    currency,
    metadata: { store_id, livemode: false, order_id, payment_id: asked.id, refund_id: id },
    ...changes,
  };
}

/** Checks refunds. A gateway may leave them out. */
export const gatewayRefundCases: readonly GatewayCase[] = [
  {
    name: "a refund succeeds or is pending, and the provider's id of it is told",
    async run(context) {
      const { gateway, assert } = context;
      const { status, reference } = (await gateway.refund?.(await paidRefund(context))) ?? {};
      if (status === undefined) return;
      assert.ok(status === "succeeded" || status === "pending");
      assert.ok(typeof reference === "string" && reference.length > 0);
    },
  },
  {
    name: "a repeated refund with one id is one refund",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.refund) return;
      const request = await paidRefund(context);
      const first = await gateway.refund(request);
      assert.equal((await gateway.refund(request)).reference, first.reference);
    },
  },
  {
    name: "a payment is refunded in parts, each a refund of its own",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.refund) return;
      const request = await paidRefund(context, { amount: 400 });
      const first = await gateway.refund(request);
      const second = await gateway.refund({ ...request, id: `${request.id}.1` });
      assert.ok(first.reference !== second.reference);
    },
  },
  {
    name: "a refund is looked up under its reference",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.refund || !gateway.getRefund) return;
      const request = await paidRefund(context);
      const { reference } = await gateway.refund(request);
      const query = { ...request, refund_reference: reference, created_at: context.now() };
      assert.equal((await gateway.getRefund(query))?.reference, reference);
    },
  },
  {
    name: "a refund that was never asked for is null",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.getRefund) return;
      const request = await paidRefund(context, { id: "rf_never" });
      const query = { ...request, refund_reference: null, created_at: context.now() };
      assert.equal(await gateway.getRefund(query), null);
    },
  },
  {
    name: "a look-up of a refund has the status of its answer, or a later one",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.refund || !gateway.getRefund) return;
      const request = await paidRefund(context);
      const { reference, status } = await gateway.refund(request);
      const query = { ...request, refund_reference: reference, created_at: context.now() };
      const found = await gateway.getRefund(query);
      if (status === "succeeded") assert.equal(found?.status, "succeeded");
      assert.ok(found?.amount === undefined || found.amount === request.amount);
    },
  },
  {
    name: "a look-up by the key alone finds the refund, or says that it cannot",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.refund || !gateway.getRefund) return;
      const request = await paidRefund(context);
      const { reference } = await gateway.refund(request);
      const query = { ...request, refund_reference: null, created_at: context.now() };
      const found = await gateway.getRefund(query);
      if (found) assert.equal(found.reference, reference);
    },
  },
  {
    name: "five refunds at once with one id are one refund",
    async run(context) {
      const { gateway, assert } = context;
      const { refund } = gateway;
      if (!refund) return;
      const request = await paidRefund(context);
      const calls = Array.from({ length: 5 }, () => refund.call(gateway, request));
      const references = (await Promise.all(calls)).map(({ reference }) => reference);
      assert.equal(new Set(references).size, 1);
    },
  },
  {
    name: "a refund beyond what is left is a value, failed, and moves nothing",
    async run(context) {
      const { gateway, assert } = context;
      if (!gateway.refund) return;
      const request = await paidRefund(context);
      await gateway.refund({ ...request, amount: 600 });
      const refused = await gateway.refund({ ...request, id: `${request.id}.1`, amount: 600 });
      assert.equal(refused.status, "failed");
      const rest = await gateway.refund({ ...request, id: `${request.id}.2`, amount: 400 });
      assert.ok(rest.status === "succeeded" || rest.status === "pending");
    },
  },
];

import type { RefundRequest } from "../../payments/gateway.ts";
import type { GatewayCase, GatewayContext } from "./case.ts";

/** A payment that succeeded, and the request of a refund of it. */
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

/** Refunds and messages of a provider. A gateway may leave each of them out. */
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
    name: "a message without the provider's signature tells nothing",
    async run({ gateway, assert }) {
      const forged = new TextEncoder().encode('{"notification_id":"n1","type":"payment"}');
      for (const body of [forged, new Uint8Array()]) {
        const message = { body, url: "https://shop.example.com/n", header: () => undefined };
        const facts = await gateway.parseNotification?.(message).catch(() => []);
        assert.deepEqual(facts ?? [], []);
      }
    },
  },
];

import { dayMs } from "../../domain/durations.ts";
import type { PaymentRequest, SavedChargeRequest } from "../../payments/gateway/gateway.ts";
import type { PaymentResult, SavedMethod } from "../../payments/gateway/gateway-results.ts";
import type { GatewayCase, GatewayContext } from "./case.ts";

const customer = {
  id: "cus_1",
  email: "ana@example.com",
  name: "Ana",
  country: null,
  // Pix keeps nothing of a buyer without one.
  tax_id: "52998224725",
};

/** A method that the provider keeps, and the charges of it. */
interface Kept {
  readonly saved: SavedMethod;
  charge(changes?: Partial<SavedChargeRequest>): Promise<PaymentResult>;
  request(): SavedChargeRequest;
}

/** Has a method kept. Null means that the gateway, or its method, keeps none. */
async function keep(context: GatewayContext): Promise<Kept | null> {
  const { gateway, succeeds } = context;
  const next_period_start = context.now() + monthMs;
  const recurring = {
    interval: "month",
    interval_count: 1,
    amount: 1000,
    next_period_start,
  } as const;
  const paid = context.request(succeeds, { save: true, recurring, customer });
  const { saved_method: saved } = await gateway.createPayment(paid);
  if (!saved || !gateway.chargeSaved) return null;

  let period_start = next_period_start;
  const request = (): SavedChargeRequest => {
    const charge = chargeOf(context.request({}), saved, period_start);
    period_start += monthMs;
    return charge;
  };
  return {
    saved,
    request,
    async charge(changes = {}) {
      const result = await gateway.chargeSaved?.({ ...request(), ...changes });
      if (!result) throw new Error("The gateway gave no result.");
      return result;
    },
  };
}

const chargeOf = (
  { input: _input, return_url: _url, customer: _buyer, ...request }: PaymentRequest,
  { reference }: SavedMethod,
  period_start: number,
): SavedChargeRequest => ({
  ...request,
  customer: { id: customer.id, email: customer.email },
  saved_reference: reference,
  subscription_id: "sub_1",
  period_start,
});

/** A provider may charge a period once, so each charge is of another month. */
const monthMs = 31 * dayMs;

/** Lists the rules of a gateway that keeps means of payment. Others pass them all. */
export const gatewaySavedCases: readonly GatewayCase[] = [
  {
    name: "nothing is kept of a payment that does not say `save`",
    async run(context) {
      const { gateway, assert, request, succeeds } = context;
      const result = await gateway.createPayment(request(succeeds, { customer }));
      assert.equal(result.saved_method, undefined);
    },
  },
  {
    name: "what is kept says what it is, and what the buyer knows it by",
    async run(context) {
      const kept = await keep(context);
      if (!kept) return;
      for (const text of [kept.saved.reference, kept.saved.kind, kept.saved.label])
        context.assert.ok(text.length > 0);
    },
  },
  {
    name: "a kept method is charged without the buyer, once for an id",
    async run(context) {
      const { assert, gateway, query } = context;
      const kept = await keep(context);
      if (!kept) return;

      const asked = kept.request();
      const charged = await kept.charge(asked);
      assert.deepEqual(
        [charged.status, charged.amount, charged.currency],
        ["succeeded", asked.amount, asked.currency],
      );
      assert.equal((await kept.charge(asked)).reference, charged.reference);
      assert.ok((await kept.charge()).reference !== charged.reference);

      const { reference } = charged;
      const named = query({ ...context.request({}), id: asked.id }, { reference });
      const found = await gateway.getPayment?.(named);
      if (found) assert.equal(found.status, "succeeded");
    },
  },
  {
    name: "a method that is kept without a payment is kept once for an id, and charged later",
    async run(context) {
      const { assert, gateway, query, succeeds } = context;
      const asked = { ...context.request(succeeds, { save: true, customer }), amount: 0 };
      const types = gateway.savedTypes;
      if (!gateway.saveMethod || types?.includes(asked.method.type) === false) return;

      const result = await gateway.saveMethod(asked);
      assert.deepEqual(
        [result.status, result.amount, result.currency],
        ["succeeded", 0, asked.currency],
      );
      const saved = result.saved_method;
      if (!saved) throw new Error("The gateway kept nothing.");
      assert.equal((await gateway.saveMethod(asked)).reference, result.reference);

      const found = await gateway.getPayment?.(query(asked, result));
      if (found) assert.deepEqual([found.status, found.amount], ["succeeded", 0]);
      const charge = chargeOf(context.request({}), saved, context.now() + monthMs);
      const charged = await gateway.chargeSaved?.(charge);
      assert.deepEqual([charged?.status, charged?.amount], ["succeeded", charge.amount]);
    },
  },
  {
    name: "a method that was forgotten is charged no more, and forgotten twice without an error",
    async run(context) {
      const { assert, gateway } = context;
      const kept = await keep(context);
      if (!kept || !gateway.forgetSaved) return;

      await gateway.forgetSaved(kept.request());
      await gateway.forgetSaved(kept.request());
      const refused = await kept.charge();
      assert.deepEqual([refused.status, refused.needs_buyer], ["failed", true]);
    },
  },
];

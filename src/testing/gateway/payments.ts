import { failureCodes, paymentMethodTypes } from "../../contract/schemas.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import type { PaymentRequest } from "../../payments/gateway/gateway.ts";
import type { PaymentResult } from "../../payments/gateway/gateway-results.ts";
import { isFee } from "../../rules/payments/fees/payment-fee.ts";
import type { GatewayCase, GatewayContext } from "./case.ts";

type Check = (context: GatewayContext) => Promise<void> | void;

const gatewayCase = (name: string, run: Check): GatewayCase => ({
  name,
  run: async (context) => run(context),
});

/** Starts a payment that succeeds. */
async function pay(context: GatewayContext, changes: Partial<PaymentRequest> = {}) {
  const request = context.request(context.succeeds, changes);
  return { request, result: await context.gateway.createPayment(request) };
}

const namesOf = ({ reference, payment_reference }: PaymentResult) => ({
  reference,
  payment_reference: payment_reference ?? null,
});

const names: readonly GatewayCase[] = [
  gatewayCase("it has a name, which is not `host`", ({ gateway, assert }) => {
    assert.ok(gateway.id.length > 0);
    assert.ok(gateway.id !== "host");
  }),
  gatewayCase("the cases run in test mode", ({ gateway, assert }) => {
    assert.equal(gateway.livemode, false);
  }),
  gatewayCase("its methods are of known types and have names", ({ gateway, assert }) => {
    for (const { type, name } of gateway.methods()) {
      assert.ok(paymentMethodTypes.includes(type));
      assert.ok(name.length > 0);
    }
  }),
  gatewayCase("the account of a store is the same each time", async ({ gateway, assert }) => {
    const first = (await gateway.account?.("str_test")) ?? null;
    assert.equal((await gateway.account?.("str_test")) ?? null, first);
  }),
];

const creations: readonly GatewayCase[] = [
  gatewayCase("a payment succeeds with amount, currency and reference", async (context) => {
    const { request, result } = await pay(context);
    context.assert.equal(result.status, "succeeded");
    context.assert.equal(result.amount, request.amount);
    context.assert.equal(result.currency, request.currency);
    context.assert.ok(result.reference.length > 0);
  }),
  gatewayCase("a repeated call with one id gives one payment", async (context) => {
    const { request, result } = await pay(context);
    const again = await context.gateway.createPayment(request);
    context.assert.deepEqual(namesOf(again), namesOf(result));
  }),
  gatewayCase("five calls at once with one id give one payment", async (context) => {
    const request = context.request(context.succeeds);
    const calls = Array.from({ length: 5 }, () => context.gateway.createPayment(request));
    const references = (await Promise.all(calls)).map(({ reference }) => reference);
    context.assert.equal(new Set(references).size, 1);
  }),
  gatewayCase("one id with another amount is no second payment", async (context) => {
    const { request, result } = await pay(context);
    const changed = { ...request, amount: request.amount + 1 };
    const again = await context.gateway.createPayment(changed).catch(() => null);
    if (again) context.assert.deepEqual(namesOf(again), namesOf(result));
  }),
  gatewayCase("two ids are two payments", async (context) => {
    const [one, two] = [await pay(context), await pay(context)];
    context.assert.ok(one.result.reference !== two.result.reference);
  }),
  gatewayCase("another amount is charged as it is asked for", async (context) => {
    const { result } = await pay(context, { amount: 12_345 });
    context.assert.equal(result.amount, 12_345);
  }),
  gatewayCase("names in any script and long descriptions are taken", async (context) => {
    const customer = {
      id: "cus_1",
      email: "ana@example.com",
      name: "Ação 東京 ★",
      country: "BR",
      tax_id: null,
    };
    const { result } = await pay(context, { customer, description: "ã".repeat(300) });
    context.assert.equal(result.status, "succeeded");
  }),
  gatewayCase("a payment without line items is taken", async (context) => {
    const { result } = await pay(context, { line_items: [] });
    context.assert.equal(result.status, "succeeded");
  }),
  gatewayCase("a declined payment is a value with a known failure code", async (context) => {
    const { gateway, assert } = context;
    const result = await gateway.createPayment(context.request(context.declines));
    assert.equal(result.status, "failed");
    const code = result.failure_code ?? "declined";
    assert.ok(failureCodes.includes(code));
  }),
  gatewayCase("a declined payment stays declined when the call is repeated", async (context) => {
    const request = context.request(context.declines);
    await context.gateway.createPayment(request);
    const again = await context.gateway.createPayment(request);
    context.assert.equal(again.status, "failed");
  }),
  gatewayCase("a payment that waits says so, and can still be paid", async (context) => {
    const { gateway, assert, waits } = context;
    if (!waits) return;
    const result = await gateway.createPayment(context.request(waits));
    assert.ok(result.status === "pending" || result.status === "requires_action");
    assert.ok(result.expires_at === undefined || result.expires_at > context.now());
  }),
  gatewayCase("an action is there when one is required", async (context) => {
    const { gateway, assert, waits } = context;
    if (!waits) return;
    const { status, next_action } = await gateway.createPayment(context.request(waits));
    if (status === "requires_action") assert.ok(next_action !== undefined);
    if (next_action?.type === "redirect") assert.ok(parseUrl(next_action.url) !== null);
  }),
];

const lookUps: readonly GatewayCase[] = [
  gatewayCase("a look-up gives the same payment", async (context) => {
    const { gateway, assert, query } = context;
    const { request, result } = await pay(context);
    if (!gateway.getPayment) return;
    const found = await gateway.getPayment(query(request, namesOf(result)));
    assert.equal(found?.status, "succeeded");
    assert.deepEqual(found && namesOf(found), namesOf(result));
    assert.deepEqual([found?.amount, found?.currency], [result.amount, result.currency]);
  }),
  gatewayCase("a fee is told of money that came, and a look-up tells the same", async (context) => {
    const { gateway, assert, query, waits, declines } = context;
    const { request, result } = await pay(context);
    const { fee } = result;
    if (fee) {
      assert.ok(isFee(fee));
      const found = await gateway.getPayment?.(query(request, namesOf(result)));
      if (found) assert.deepEqual(found.fee, fee);
    }
    for (const input of [declines, waits]) {
      if (!input) continue;
      const open = await gateway.createPayment(context.request(input));
      assert.equal(open.fee, undefined);
    }
  }),
  gatewayCase("a look-up without a reference finds it, or says that it cannot", async (context) => {
    const { gateway, assert, query } = context;
    const { request, result } = await pay(context);
    const found = (await gateway.getPayment?.(query(request))) ?? null;
    if (found) assert.equal(found.reference, result.reference);
  }),
  gatewayCase("a payment that was never asked for is null", async (context) => {
    const { gateway, assert, query } = context;
    if (!gateway.getPayment) return;
    // A list of the provider may lag behind, so a gateway may say only later that there is none.
    const created_at = context.now() - 2 * 3_600_000;
    const asked = query(context.request(context.succeeds), { created_at });
    assert.equal(await gateway.getPayment(asked), null);
  }),
  gatewayCase("a reference that the provider never gave is null", async (context) => {
    const { gateway, assert, query, request, succeeds } = context;
    if (!gateway.getPayment) return;
    const created_at = context.now() - 2 * 3_600_000;
    const asked = query(request(succeeds), { reference: "never_given", created_at });
    assert.equal(await gateway.getPayment(asked), null);
  }),
  gatewayCase(
    "a look-up of a payment that waits keeps its reference and amount",
    async (context) => {
      const { gateway, assert, query, waits } = context;
      if (!waits || !gateway.getPayment) return;
      const request = context.request(waits);
      const { reference, amount } = await gateway.createPayment(request);
      const found = await gateway.getPayment(query(request, { reference }));
      assert.deepEqual([found?.reference, found?.amount], [reference, amount]);
    },
  ),
  gatewayCase("a look-up of a declined payment says failed", async (context) => {
    const { gateway, assert, query } = context;
    const request = context.request(context.declines);
    const declined = await gateway.createPayment(request);
    if (!gateway.getPayment) return;
    const found = await gateway.getPayment(query(request, namesOf(declined)));
    assert.equal(found?.status, "failed");
  }),
];

const cancels: readonly GatewayCase[] = [
  gatewayCase("a canceled payment is failed, by the answer or by a look-up", async (context) => {
    const { gateway, assert, query, waits } = context;
    if (!waits || !gateway.cancelPayment) return;
    const request = context.request(waits);
    const asked = query(request, namesOf(await gateway.createPayment(request)));
    const answer = (await gateway.cancelPayment(asked)) ?? (await gateway.getPayment?.(asked));
    assert.equal(answer?.status, "failed");
    assert.equal(answer?.failure_code, "canceled");
  }),
  gatewayCase("a second cancel changes nothing", async (context) => {
    const { gateway, assert, query, waits } = context;
    if (!waits || !gateway.cancelPayment) return;
    const request = context.request(waits);
    const asked = query(request, namesOf(await gateway.createPayment(request)));
    await gateway.cancelPayment(asked);
    const answer = (await gateway.cancelPayment(asked)) ?? (await gateway.getPayment?.(asked));
    assert.equal(answer?.status, "failed");
  }),
  gatewayCase("a payment that has succeeded cannot be canceled", async (context) => {
    const { gateway, assert, query } = context;
    const { request, result } = await pay(context);
    const asked = query(request, namesOf(result));
    const answer = (await gateway.cancelPayment?.(asked)) ?? (await gateway.getPayment?.(asked));
    if (answer) assert.equal(answer.status, "succeeded");
  }),
];

export const gatewayPaymentCases: readonly GatewayCase[] = [
  ...names,
  ...creations,
  ...lookUps,
  ...cancels,
];

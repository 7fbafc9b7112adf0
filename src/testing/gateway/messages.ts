import type { PaymentRequest } from "../../payments/gateway/gateway.ts";
import type { GatewayMessage } from "../../payments/gateway/gateway-message.ts";
import type { GatewayNotification, PaymentResult } from "../../payments/gateway/gateway-results.ts";
import { readFact } from "../../payments/gateway/read-fact.ts";
import type { GatewayCase, GatewayContext, ProviderMessages } from "./case.ts";

const unsigned = (body: Uint8Array): GatewayMessage => ({
  body,
  url: "https://shop.example.com/notifications",
  header: () => undefined,
});

/** Says whether the gateway refuses the message. */
const isRefused = async ({ gateway }: GatewayContext, message: GatewayMessage): Promise<boolean> =>
  Promise.resolve(gateway.parseNotification?.(message)).then(
    () => false,
    () => true,
  );

interface ToldPayment {
  readonly messages: ProviderMessages;
  readonly request: PaymentRequest;
  readonly result: PaymentResult;
  /** Reads a message, and gives its facts of one type. */
  facts<T extends GatewayNotification["type"]>(
    type: T,
    message: GatewayMessage,
  ): Promise<readonly Extract<GatewayNotification, { readonly type: T }>[]>;
}

/** Makes a case about messages. A provider without them has nothing to show. */
const messageCase = (
  name: string,
  check: (context: GatewayContext, told: ToldPayment) => Promise<void>,
): GatewayCase => ({
  name,
  async run(context) {
    const { gateway, messages, succeeds } = context;
    if (!messages) return;
    const request = context.request(succeeds);
    const result = await gateway.createPayment(request);

    await check(context, {
      messages,
      request,
      result,
      async facts(type, message) {
        const facts = (await gateway.parseNotification?.(message)) ?? [];
        type Fact = Extract<GatewayNotification, { readonly type: typeof type }>;
        return facts.filter((fact): fact is Fact => fact.type === type);
      },
    });
  },
});

const moneyOf = ({ reference, payment_reference }: PaymentResult): string =>
  payment_reference ?? reference;

/**
 * Checks the messages of a provider: what it tells of payments and refunds, and who
 * may tell it.
 */
export const gatewayMessageCases: readonly GatewayCase[] = [
  {
    name: "a message without the provider's signature throws",
    async run(context) {
      if (!context.gateway.parseNotification) return;
      const forged = new TextEncoder().encode('{"notification_id":"n1","type":"payment"}');
      for (const body of [forged, new Uint8Array(), new Uint8Array([0xff, 0xfe])])
        context.assert.ok(await isRefused(context, unsigned(body)));
    },
  },
  messageCase("a message that was changed on its way throws", async (context, told) => {
    const message = await told.messages.payment(told.request, told.result);
    const text = new TextDecoder().decode(message.body);
    const body = new TextEncoder().encode(text.replace(String(told.request.amount), "1"));
    context.assert.ok(await isRefused(context, { ...message, body }));
  }),
  messageCase("a message tells of a payment as its answer does", async (context, told) => {
    const { request, result } = told;
    const message = await told.messages.payment(request, result);
    const [fact] = await told.facts("payment", message);
    context.assert.equal(fact?.status, "succeeded");
    context.assert.equal(fact && moneyOf(fact), moneyOf(result));
    context.assert.deepEqual([fact?.amount, fact?.currency], [result.amount, result.currency]);
  }),
  messageCase("a message names our payment, which was given as metadata", async (context, told) => {
    const message = await told.messages.payment(told.request, told.result);
    const [fact] = await told.facts("payment", message);
    context.assert.equal(fact?.payment_id, told.request.id);
  }),
  messageCase("a message names the account of its payment", async (context, told) => {
    const message = await told.messages.payment(told.request, told.result);
    const [fact] = await told.facts("payment", message);
    context.assert.equal(fact?.account ?? null, told.request.account);
  }),
  messageCase(
    "a message's facts have every field that their type demands",
    async (context, told) => {
      const { gateway } = context;
      const payment = await told.messages.payment(told.request, told.result);
      const refund = await told.messages.refund(told.result, 300);
      for (const message of [payment, refund])
        for (const fact of (await gateway.parseNotification?.(message)) ?? [])
          if (fact.type !== "unread") readFact(gateway.id, fact);
    },
  ),
  messageCase("a message that comes twice has the same ids", async (context, told) => {
    const { gateway, assert } = context;
    const message = await told.messages.payment(told.request, told.result);
    const idsOf = async () =>
      ((await gateway.parseNotification?.(message)) ?? []).map(
        ({ notification_id }) => notification_id,
      );
    const ids = await idsOf();
    assert.ok(ids.length > 0);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(await idsOf(), ids);
  }),
  messageCase(
    "a refund of the provider's own is told of without an id of ours",
    async (context, told) => {
      const message = await told.messages.refund(told.result, 300);
      const [fact] = await told.facts("refund", message);
      context.assert.equal(fact?.payment_reference, moneyOf(told.result));
      context.assert.deepEqual([fact?.amount, fact?.currency], [300, told.request.currency]);
      context.assert.equal(fact?.refund_id, undefined);
      context.assert.ok(fact !== undefined && fact.reference.length > 0);
    },
  ),
  messageCase("a second payment of one reference is money of its own", async (context, told) => {
    const { messages, request, result } = told;
    if (!messages.secondPayment) return;
    const [first] = await told.facts("payment", await messages.payment(request, result));
    const [second] = await told.facts("payment", await messages.secondPayment(request, result));
    context.assert.equal(second?.reference, first?.reference);
    context.assert.ok(first && second && moneyOf(second) !== moneyOf(first));
  }),
];

import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import { type GatewayNotification, sandboxNotification } from "vitrine/gateway";
import { gatewaySuite, type ProviderMessages, runGatewayCase } from "vitrine/testing";

const secret = "sandbox-secret";
let serial = 0;

/** The sandbox's messages. It has no books, so a test says what they tell. */
const tell = (fact: GatewayNotification) => sandboxNotification(secret, fact);
const payment: ProviderMessages["payment"] = async ({ id }, result) =>
  tell({ type: "payment", notification_id: `paid_${id}`, payment_id: id, ...result });
const messages: ProviderMessages = {
  payment,
  secondPayment: async (request, result) => {
    serial += 1;
    return payment(request, { ...result, payment_reference: `again_${serial}` });
  },
  refund: async ({ reference: payment_reference, currency }, amount) => {
    serial += 1;
    const names = { notification_id: `back_${serial}`, reference: `re_${serial}` };
    return tell({
      type: "refund",
      status: "succeeded",
      ...names,
      payment_reference,
      amount,
      currency,
    });
  },
};

describe.each([
  ["a payment at once", "pending_then_succeed"],
  ["a Pix code", "qr_code"],
  ["a 3-D Secure page", "three_d_secure"],
])("the sandbox passes the gateway suite, %s", (_name, outcome) => {
  test.each(gatewaySuite)("$name", (rule) =>
    runGatewayCase(rule, {
      gateway: sandboxGateway({ notificationSecret: secret }),
      assert,
      now: Date.now,
      succeeds: {},
      declines: { outcome: "decline" },
      waits: { outcome },
      messages,
    }),
  );
});

test("a Pix code of the sandbox is paid after the time that it was told", async () => {
  let now = 1_000_000;
  const gateway = sandboxGateway({ codesPaidAfter: { ms: 5_000, now: () => now } });

  await runGatewayCase(
    {
      name: "paid after 5 s",
      async run({ request, query }) {
        const asked = request({ outcome: "qr_code" });
        const { reference } = await gateway.createPayment(asked);
        const look = () => gateway.getPayment?.(query(asked, { reference, created_at: 1_000_000 }));
        expect(await look()).toMatchObject({ status: "pending", next_action: { type: "qr_code" } });
        now += 5_000;
        expect(await look()).toMatchObject({ status: "succeeded", reference });
      },
    },
    { gateway, assert, now: () => now, succeeds: {}, declines: {}, waits: null },
  );
});

import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { gatewaySuite, runGatewayCase } from "vitrine/testing";
import type { PaymentGateway, SavedChargeRequest } from "../../../src/payments/gateway/gateway.ts";
import type { PaymentResult } from "../../../src/payments/gateway/gateway-results.ts";
import { settleDebits } from "./automatic/books.ts";
import { addDevolution, receivePix } from "./books.ts";
import type { FakeBank } from "./fake-bank.ts";
import { bankMessage, chargeIn, endBanksAfterEach, gatewayOf, judgedBank } from "./setup.ts";

endBanksAfterEach();

/** The time of the bank and of the gateway, in epoch milliseconds. */
interface Clock {
  at: number;
}

/** A buyer who acts at once: nobody pays a code within the call that makes it. */
function withBuyer(bank: FakeBank, gateway: PaymentGateway, clock: Clock): PaymentGateway {
  return {
    ...gateway,
    /** A bank takes the money days after it was asked to. */
    ...(gateway.chargeSaved && {
      async chargeSaved(request: SavedChargeRequest) {
        clock.at = Math.max(clock.at, request.period_start - 4 * 86_400_000);
        const charged = await gateway.chargeSaved?.(request);
        // One that begins in the evening is due on the day after.
        clock.at = Math.max(clock.at, request.period_start + 86_400_000);
        settleDebits(bank.books());
        const { reference = "" } = charged ?? {};
        const query = { ...request, reference, payment_reference: null, created_at: clock.at };
        const settled = charged?.status === "pending" ? await gateway.getPayment?.(query) : charged;
        return settled ?? { ...request, status: "failed", reference };
      },
    }),
    async createPayment(request) {
      const created = await gateway.createPayment(request);
      const charge = chargeIn(bank.books(), created.reference);
      const { buyer } = request.input;
      if (buyer === "waits" || charge.status !== "ATIVA") return created;

      if (buyer === "pays") receivePix(bank.books(), charge);
      else charge.status = "REMOVIDA_PELO_PSP";
      const { reference } = created;
      const query = { ...request, reference, payment_reference: null, created_at: clock.at };
      return (await gateway.getPayment?.(query)) ?? created;
    },
  };
}

const messagesOf = (bank: FakeBank) => {
  const pixOf = ({ reference }: PaymentResult) => chargeIn(bank.books(), reference).pix;
  const told = (pix: unknown) => bankMessage(JSON.stringify({ pix }));
  return {
    payment: async (_request: unknown, result: PaymentResult) => told(pixOf(result)),
    async refund(result: PaymentResult, amount: number) {
      const [pix] = pixOf(result);
      if (pix) addDevolution(bank.books(), pix, { id: "atTheBank1", valor: `${amount / 100}.00` });
      return told([pix]);
    },
    // A message about a charge tells of all its money; purchases.test.ts pays a code twice.
    secondPayment: null,
  };
};

/** Nothing signs a bank's message, and nothing that it says is believed. */
const needsSignature = "a message that was changed on its way throws";
describe.each([
  ["Pix", {}, "15:00"],
  ["Pix Automático", { automatic: {} }, "15:00"],
  // What begins after eight in the evening, in São Paulo, is due on the day after.
  ["Pix Automático in the evening", { automatic: {} }, "23:30"],
])("%s passes the gateway suite", (_name, options, time) => {
  test.each(gatewaySuite)("$name", async (rule) => {
    const clock: Clock = { at: Date.parse(`2026-03-10T${time}:00Z`) };
    const now = () => clock.at;
    const bank = await judgedBank({ now });
    const gateway = gatewayOf(bank, { ...options, now });
    const hasMessages = rule.name !== needsSignature;
    const account = (await gateway.account?.("str_test")) ?? null;

    await runGatewayCase(rule, {
      gateway: withBuyer(bank, gateway, clock),
      account,
      assert,
      now,
      method: { id: "pm_1", type: "pix" },
      succeeds: { buyer: "pays" },
      declines: { buyer: "gives_up" },
      waits: { buyer: "waits" },
      messages: hasMessages ? messagesOf(bank) : null,
    });
    expect(bank.complaints).toEqual([]);
    if ("automatic" in options && rule.name.startsWith("a kept method is charged"))
      expect(bank.books().recurring.size).toBe(2);
  });
});

import { afterAll, afterEach, expect } from "vitest";
import type { PaymentGateway } from "../../../src/payments/gateway/gateway.ts";
import type { GatewayMessage } from "../../../src/payments/gateway/gateway-message.ts";
import { type FakeStripe, type FakeStripeOptions, startFakeStripe } from "./fake-stripe.ts";
import { stripeJudge } from "./judge.ts";

const running: FakeStripe[] = [];

/** Starts a fake that is judged by Stripe's document, for one test. */
export async function judgedStripe(options: FakeStripeOptions = {}): Promise<FakeStripe> {
  const fake = await startFakeStripe({ judge: stripeJudge(), ...options });
  running.push(fake);
  return fake;
}

/** Ends the fakes of a test, and fails it when a document was not kept to. */
export const endFakesAfterEach = (): void => afterEach(endFakes);

/** The same for a file whose tests run at once. */
export const endFakesAfterAll = (): void => afterAll(endFakes);

async function endFakes(): Promise<void> {
  for (const fake of running.splice(0)) {
    await fake.close();
    expect(fake.complaints).toEqual([]);
  }
}

export const gatewayMessage = (body: string, signature: string): GatewayMessage => ({
  body: new TextEncoder().encode(body),
  url: "https://shop.example.com/notifications",
  header: (name) => (name.toLowerCase() === "stripe-signature" ? signature : undefined),
});

type BuyerAct = (reference: string, act: unknown) => void;

/**
 * A gateway whose buyers act at once. Stripe never takes a payment within the call that creates it:
 * the buyer pays afterwards, on a page or at a bank.
 */
export function withBuyer(gateway: PaymentGateway, buyer: BuyerAct): PaymentGateway {
  const acted =
    (create: PaymentGateway["createPayment"]): PaymentGateway["createPayment"] =>
    async (request) => {
      const created = await create(request);
      const { buyer: act } = request.input;
      if (act === "waits") return created;

      buyer(created.reference, act);
      const { reference } = created;
      const query = { ...request, reference, payment_reference: null, created_at: Date.now() };
      return (await gateway.getPayment?.(query)) ?? created;
    };
  const { saveMethod } = gateway;
  return {
    ...gateway,
    createPayment: acted(gateway.createPayment),
    ...(saveMethod && { saveMethod: acted(saveMethod) }),
  };
}

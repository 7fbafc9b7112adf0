import type { GatewayNotification, PaymentGateway } from "vitrine/gateway";

type RefundAnswer = Awaited<ReturnType<NonNullable<PaymentGateway["refund"]>>>;
type RefundRequest = Parameters<NonNullable<PaymentGateway["refund"]>>[0];

interface BankRefund {
  readonly reference: string;
  readonly payment_reference: string;
  readonly amount: number;
  status: RefundAnswer["status"];
}

/** A provider forgets an idempotency key after this time, as Stripe does. */
const keyLifetimeMs = 86_400_000;

/**
 * A provider with money of its own. `moved` tells what went back to buyers, so that a test can hold
 * it beside the books. `script` says how it answers; the bank itself never loses anything.
 */
export function createBank(clock: () => number) {
  const keys = new Map<string, { readonly at: number; readonly refund: BankRefund | null }>();
  const refunds = new Map<string, BankRefund>();
  const requests: RefundRequest[] = [];
  const asked: string[] = [];
  const script = {
    /** What becomes of a new refund; null refuses it. */
    result: "succeeded" as RefundAnswer["status"] | "refused",
    /** True: a new refund is made, and the answer is lost. */
    loses_answers: false,
    /** True: the bank is not reached at all. */
    is_down: false,
    /** True: it cannot find refunds. */
    forgets: false,
    /** True: a key that it knows is refused, as a second refund of the same money. */
    refuses_repeats: false,
    /** What happens elsewhere while a creation is on its way. */
    before: async (): Promise<void> => {},
  };

  const answerOf = (refund: BankRefund | null): RefundAnswer =>
    refund
      ? { status: refund.status, reference: refund.reference }
      : { status: "failed", reference: null, failure_reason: "insufficient_funds" };

  const make = (payment_reference: string, amount: number, status: RefundAnswer["status"]) => {
    const reference = `re_${refunds.size + 1}`;
    const refund: BankRefund = { reference, payment_reference, amount, status };
    refunds.set(reference, refund);
    return refund;
  };

  const gateway: PaymentGateway = {
    id: "sandbox",
    livemode: false,
    methods: () => [],
    createPayment: async ({ id, amount, currency }) => ({
      status: "succeeded",
      reference: `cs_${id}`,
      payment_reference: `pi_${id}`,
      amount,
      currency,
    }),

    async refund(request) {
      requests.push({ ...request });
      await script.before();
      if (script.is_down) throw new Error("The bank is not reached.");

      const known = keys.get(request.id);
      const isRepeat = known !== undefined && clock() - known.at < keyLifetimeMs;
      if (isRepeat && script.refuses_repeats) return answerOf(null);
      const refund = isRepeat
        ? known.refund
        : script.result === "refused"
          ? null
          : make(request.payment_reference ?? request.reference, request.amount, script.result);
      if (!isRepeat) keys.set(request.id, { at: clock(), refund });
      if (script.loses_answers) throw new Error("The answer was lost.");
      return answerOf(refund);
    },

    async getRefund({ id, refund_reference }) {
      asked.push(id);
      if (script.is_down) throw new Error("The bank is not reached.");
      if (script.forgets) return null;

      const byReference = refunds.get(refund_reference ?? "");
      const found = byReference ?? keys.get(id)?.refund ?? null;
      return found && answerOf(found);
    },

    parseNotification: async ({ body }) => JSON.parse(new TextDecoder().decode(body)),
  };

  const moved = (): number =>
    [...refunds.values()]
      .filter(({ status }) => status === "succeeded")
      .reduce((sum, { amount }) => sum + amount, 0);

  return { gateway, script, requests, asked, refunds, make, moved };
}

export type Bank = ReturnType<typeof createBank>;

/** The message of some facts, as a host hands it on. */
export const messageOf = (...facts: readonly GatewayNotification[]) => ({
  livemode: false,
  url: "https://shop.example.com/hook",
  body: new TextEncoder().encode(JSON.stringify(facts)),
  header: () => undefined,
});

import { sandboxGateway } from "vitrine";
import type { GatewayNotification, PaymentGateway, PaymentResult } from "vitrine/gateway";

type RefundAnswer = Awaited<ReturnType<NonNullable<PaymentGateway["refund"]>>>;

/** What the provider does with a payment that it is asked for. */
export const paymentBehaviours = [
  "succeed",
  "decline",
  "wait",
  "lose_answer",
  "never_reach",
  "take_less",
  "reuse",
] as const;
export type PaymentBehaviour = (typeof paymentBehaviours)[number];

export const refundBehaviours = [
  "succeed",
  "wait",
  "refuse",
  "lose_answer",
  "never_reach",
] as const;
export type RefundBehaviour = (typeof refundBehaviours)[number];

/** What the provider was asked to take. Several of our payments may share one of these. */
interface Intent {
  readonly first_id: string;
  readonly order_id: string;
  readonly reference: string;
  readonly amount: number;
  state: "open" | "taken" | "declined" | "canceled";
  taken: number;
}

interface Refund {
  /** The key that we sent; null for a refund of the provider's own. */
  readonly key: string | null;
  readonly refund_id: string | null;
  readonly reference: string;
  readonly intent: Intent;
  readonly amount: number;
  state: "pending" | "succeeded" | "failed";
}

/** A provider with books of its own, which loses answers and repeats and delays its messages. */
export function modelProvider() {
  const intents = new Map<string, Intent>();
  const refunds: Refund[] = [];
  const messages: GatewayNotification[] = [];
  const behaviour: { refund: RefundBehaviour } = { refund: "succeed" };
  let serial = 0;

  const refunded = (intent: Intent): number =>
    refunds
      .filter((refund) => refund.intent === intent && refund.state !== "failed")
      .reduce((sum, { amount }) => sum + amount, 0);

  const resultOf = ({ state, reference, amount, taken }: Intent): PaymentResult => {
    const payment = { reference, amount: state === "taken" ? taken : amount, currency: "BRL" };
    if (state === "taken") return { ...payment, status: "succeeded" };
    if (state === "open") return { ...payment, status: "pending" };
    const failure_code = state === "canceled" ? "canceled" : "declined";
    return { ...payment, status: "failed", failure_code };
  };
  const refundAnswer = ({ state, reference }: Refund): RefundAnswer => ({
    status: state,
    reference,
  });

  const tell = (intent: Intent): void => {
    serial += 1;
    const names = { notification_id: `n${serial}`, payment_id: intent.first_id };
    messages.push({ type: "payment", ...names, ...resultOf(intent) });
  };
  const tellRefund = (refund: Refund): void => {
    serial += 1;
    messages.push({
      type: "refund",
      notification_id: `n${serial}`,
      status: refund.state,
      reference: refund.reference,
      payment_reference: refund.intent.reference,
      amount: refund.amount,
      currency: "BRL",
      ...(refund.refund_id !== null && { refund_id: refund.refund_id }),
    });
  };

  const settle = (intent: Intent, state: Intent["state"], taken = intent.amount): void => {
    intent.state = state;
    intent.taken = state === "taken" ? taken : 0;
    tell(intent);
  };
  const newRefund = (refund: Omit<Refund, "reference">): Refund => {
    serial += 1;
    const made = { ...refund, reference: `re_${serial}` };
    refunds.push(made);
    if (made.state !== "pending") tellRefund(made);
    return made;
  };

  const findIntent = (id: string, reference: string | null): Intent | undefined =>
    intents.get(id) ?? [...intents.values()].find((intent) => intent.reference === reference);

  const gateway: PaymentGateway = {
    ...sandboxGateway({ notificationSecret: "secret" }),
    returnDuplicates: true,

    async createPayment({ id, order_id, amount, input }) {
      const known = intents.get(id);
      if (known) return resultOf(known);

      const does = input["behaviour"] as PaymentBehaviour;
      if (does === "never_reach") throw new Error("connection refused");

      const earlier = [...intents.values()].find(
        (intent) => intent.order_id === order_id && intent.state !== "taken",
      );
      serial += 1;
      const fresh: Intent = {
        first_id: id,
        order_id,
        reference: `pi_${serial}`,
        amount,
        state: "open",
        taken: 0,
      };
      const intent = does === "reuse" ? (earlier ?? fresh) : fresh;
      intents.set(id, intent);

      if (does === "decline") settle(intent, "declined");
      else if (does === "take_less") settle(intent, "taken", amount - 1);
      else if (does !== "wait") settle(intent, "taken");
      if (does === "lose_answer") throw new Error("no answer");
      return resultOf(intent);
    },

    async getPayment({ id, reference }) {
      const intent = findIntent(id, reference);
      return intent ? resultOf(intent) : null;
    },

    async cancelPayment({ id, reference }) {
      const intent = findIntent(id, reference);
      if (intent?.state === "open") settle(intent, "canceled");
      return intent && intent.state !== "declined" ? resultOf(intent) : undefined;
    },

    async refund({ id: key, reference, payment_reference, amount, metadata }) {
      const known = refunds.find((refund) => refund.key === key);
      if (known) return refundAnswer(known);
      if (behaviour.refund === "never_reach") throw new Error("connection refused");

      const intent = findIntent("", payment_reference ?? reference);
      const isRefused = behaviour.refund === "refuse";
      if (!intent || isRefused || amount > intent.taken - refunded(intent))
        return { status: "failed", reference: null };

      const state = behaviour.refund === "wait" ? "pending" : "succeeded";
      const made = newRefund({ key, refund_id: metadata.refund_id, intent, amount, state });
      if (behaviour.refund === "lose_answer") throw new Error("no answer");
      return refundAnswer(made);
    },

    async getRefund({ id: key, refund_reference }) {
      const found = refunds.find(
        (refund) => refund.key === key || refund.reference === refund_reference,
      );
      return found ? refundAnswer(found) : null;
    },
  };

  const allIntents = (): Intent[] => [...new Set(intents.values())];
  const openIntents = (): Intent[] => allIntents().filter(({ state }) => state === "open");

  return {
    gateway,
    messages,
    behaviour,
    /** What the provider took for an order, and what it still keeps of it. */
    held: (order_id: string): { reference: string; taken: number; kept: number }[] =>
      allIntents()
        .filter((intent) => intent.order_id === order_id && intent.state === "taken")
        .map((intent) => ({
          reference: intent.reference,
          taken: intent.taken,
          kept: intent.taken - refunded(intent),
        })),
    /** The references of an order's money. */
    references: (order_id: string): string[] =>
      allIntents()
        .filter((intent) => intent.order_id === order_id)
        .filter(({ state, taken, amount }) => state === "taken" && taken === amount)
        .map(({ reference }) => reference),
    /** The buyer pays, or the provider gives up, an open payment. */
    settleOpen(at: number, state: "taken" | "canceled"): void {
      const open = openIntents();
      const intent = open[at % Math.max(1, open.length)];
      if (intent) settle(intent, state);
    },
    /** The provider sends money back from its own side: a part, or all that it holds. */
    refundFrom(at: number, part: number | null): void {
      const taken = allIntents().filter((intent) => intent.taken > refunded(intent));
      const intent = taken[at % Math.max(1, taken.length)];
      if (!intent) return;
      const left = intent.taken - refunded(intent);
      const amount = Math.min(left, part ?? left);
      newRefund({ key: null, refund_id: null, intent, amount, state: "succeeded" });
    },
    /** A refund under way ends, or a refund that was done fails later. */
    settleRefund(at: number, state: "succeeded" | "failed"): void {
      const movable = refunds.filter(
        (refund) => refund.state === "pending" || (state === "failed" && refund.state !== "failed"),
      );
      const refund = movable[at % Math.max(1, movable.length)];
      if (!refund) return;
      refund.state = state;
      tellRefund(refund);
    },
    settleEverything(): void {
      for (const refund of refunds.filter(({ state }) => state === "pending")) {
        refund.state = "succeeded";
        tellRefund(refund);
      }
    },
  };
}

import { isDeclineCode } from "../../rules/payments/decline-reasons.ts";
import { isFee } from "../../rules/payments/fees/payment-fee.ts";
import { signWebhook } from "../../webhooks/signature.ts";
import { verifyWebhook } from "../../webhooks/verify.ts";
import type { PaymentGateway, PaymentRequest } from "../gateway/gateway.ts";
import type { GatewayNotification, PaymentResult } from "../gateway/gateway-results.ts";
import { forgetOldest } from "./sandbox-memory.ts";
import { type SandboxOutcome, sandboxOutcomes } from "./sandbox-outcomes.ts";
import { sandboxRefunds } from "./sandbox-refunds.ts";
import { readSaved, saveMethod } from "./sandbox-saved.ts";

/** The calls of the sandbox. Their code is loaded at the first of them. */
export type SandboxPayments = Required<
  Pick<
    PaymentGateway,
    | "createPayment"
    | "saveMethod"
    | "chargeSaved"
    | "forgetSaved"
    | "getPayment"
    | "cancelPayment"
    | "refund"
    | "getRefund"
    | "parseNotification"
  >
>;

interface SandboxPayment {
  readonly outcome: SandboxOutcome;
  readonly result: PaymentResult;
}

export const signatureHeader = "x-sandbox-signature";

interface PaymentOptions {
  readonly notificationSecret: string;
  readonly codesPaidAfter: { readonly ms: number; readonly now: () => number } | undefined;
}

/** Makes the payments of one sandbox, which keeps them in memory. */
export function createSandboxPayments({
  notificationSecret,
  codesPaidAfter,
}: PaymentOptions): SandboxPayments {
  const payments = new Map<string, SandboxPayment>();
  const take = paymentTaker(payments);
  const forgotten = new Set<string>();
  const createPayment: SandboxPayments["createPayment"] = async (request) =>
    take(request, readOutcome(request.input["outcome"]), {
      ...saveMethod(request),
      ...readDeclineCode(request.input["decline_code"]),
      ...readFee(request),
    });

  return {
    createPayment,
    // The sandbox moves no money in any case, so a payment of 0 saves the method.
    saveMethod: createPayment,

    async chargeSaved(request) {
      const { saved_reference } = request;
      const renewals = readSaved(saved_reference);
      const asked = { ...request, return_url: "" };
      if (renewals !== "authentication_required" && !forgotten.has(saved_reference))
        return take(asked, renewals, {});
      const refused = { needs_buyer: true, decline_code: "authentication_required" };
      return take(asked, "decline", refused);
    },

    async forgetSaved({ saved_reference }) {
      forgotten.add(saved_reference);
      forgetOldest(forgotten);
    },

    async getPayment({ id, reference, created_at }) {
      const known = payments.get(id) ?? readReference(reference);
      if (!known) return null;

      const { outcome, result } = known;
      const { next_action: _, ...settled } = result;
      if (result.status === "failed") return result;

      const isCode = outcome === "qr_code" || outcome === "voucher";
      const paidAt = created_at + (codesPaidAfter?.ms ?? 0);
      if (isCode && codesPaidAfter && codesPaidAfter.now() < paidAt) return result;
      if (outcome === "pending_then_fail")
        return { ...settled, status: "failed", failure_code: "declined" };
      return { ...settled, status: outcome === "decline" ? "failed" : "succeeded" };
    },

    async cancelPayment({ id, reference }) {
      const known = payments.get(id) ?? readReference(reference);
      const status = known?.result.status;
      if (!known || (status !== "pending" && status !== "requires_action")) return;

      const { outcome } = known;
      const result = { ...known.result, status: "failed", failure_code: "canceled" } as const;
      payments.set(id, { outcome, result });
    },

    ...sandboxRefunds((reference) => {
      const payment = readReference(reference);
      if (!payment) return null;
      const { amount } = payment.result;
      return { amount, fails_later: payment.outcome === "refund_fails_later" };
    }),

    parseNotification: (message) => readNotification(message, notificationSecret),
  };
}

/** Makes a function that takes payments, each once for its id. */
function paymentTaker(payments: Map<string, SandboxPayment>) {
  /** The orders whose `decline_then_succeed` has been declined once. */
  const declinedOrders = new Set<string>();

  return (request: Asked, asked: SandboxOutcome, added: Partial<PaymentResult>): PaymentResult => {
    const { id, order_id } = request;
    const known = payments.get(id);
    const outcome = known?.outcome ?? asked;
    const declinedBefore = declinedOrders.has(order_id);
    const result = known?.result ?? { ...firstResult(request, outcome, declinedBefore), ...added };

    if (outcome === "decline_then_succeed") declinedOrders.add(order_id);
    payments.set(id, { result, outcome });
    forgetOldest(declinedOrders);
    forgetOldest(payments);

    // This is a provider that took the payment, but whose answer was lost.
    if (outcome === "timeout") throw new Error("The sandbox does not answer, as asked.");
    return result;
  };
}

/** Signs a message as the provider of the sandbox would. */
export const signMessage = (secret: string, body: Uint8Array): Promise<string> =>
  signWebhook({ rawBody: body, secret, timestamp: 1 });

type NotificationMessage = Parameters<NonNullable<PaymentGateway["parseNotification"]>>[0];

async function readNotification(
  { body, header }: NotificationMessage,
  secret: string,
): Promise<readonly GatewayNotification[]> {
  const verdict = await verifyWebhook<GatewayNotification>({
    rawBody: body,
    header: header(signatureHeader),
    secret,
    // The time is not checked, because the host's clock may be that of a test.
    tolerance: Number.MAX_SAFE_INTEGER,
  });
  if (!verdict.ok) throw new Error(`The sandbox refuses the message: ${verdict.reason}.`);
  return [verdict.event];
}

/** Reads the code that a refused payment is to be refused with. */
const readDeclineCode = (code: unknown): Pick<PaymentResult, "decline_code"> =>
  isDeclineCode(code) ? { decline_code: code } : {};

/** Reads what the sandbox is to keep of a payment that succeeds at once, in its minor units. */
const readFee = ({ input, currency }: PaymentRequest): Pick<PaymentResult, "fee"> => {
  const fee = { amount: input["fee"], currency };
  return readOutcome(input["outcome"]) === "succeed" && isFee(fee) ? { fee } : {};
};

/** Reads a payment that is no longer in memory from the reference that `firstResult` made. */
function readReference(reference: string | null): SandboxPayment | null {
  const pattern = /^sandbox_[^.]+\.([a-z_]+)\.(\d+)\.([A-Z]{3})$/;
  const [, outcome, amount, currency = ""] = pattern.exec(reference ?? "") ?? [];
  if (reference === null || outcome === undefined) return null;

  return {
    outcome: readOutcome(outcome),
    result: { status: "pending", reference, amount: Number(amount), currency },
  };
}

type Asked = Pick<
  PaymentRequest,
  "id" | "order_id" | "amount" | "currency" | "expires_at" | "return_url"
>;

/** Gives the answer to the first call with an id. */
function firstResult(
  request: Asked,
  outcome: SandboxOutcome,
  declinedBefore: boolean,
): PaymentResult {
  const { id, amount, currency } = request;
  const base = { reference: `sandbox_${id}.${outcome}.${amount}.${currency}`, amount, currency };
  switch (outcome) {
    case "decline":
      return { ...base, status: "failed", failure_code: "declined" };
    case "decline_then_succeed":
      return declinedBefore
        ? { ...base, status: "succeeded" }
        : { ...base, status: "failed", failure_code: "declined" };
    case "pending_then_succeed":
    case "pending_then_fail":
    case "timeout":
      return { ...base, status: "pending" };
    case "qr_code":
      return {
        ...base,
        status: "pending",
        next_action: { type: "qr_code", text: `SANDBOX PIX ${id}`, expires_at: request.expires_at },
      };
    case "voucher":
      return {
        ...base,
        status: "pending",
        next_action: { type: "voucher", number: id, expires_at: request.expires_at },
      };
    case "three_d_secure":
      return {
        ...base,
        status: "requires_action",
        next_action: { type: "redirect", url: request.return_url },
      };
    default:
      return { ...base, status: "succeeded" };
  }
}

/**
 * Reads the outcome. An unknown one is a decline: an exception would leave the
 * payment open, with no result.
 */
const readOutcome = (value: unknown): SandboxOutcome =>
  value === undefined || value === null
    ? "succeed"
    : (sandboxOutcomes.find((outcome) => outcome === value) ?? "decline");

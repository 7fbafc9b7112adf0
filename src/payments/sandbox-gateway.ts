import { signWebhook } from "../webhooks/signature.ts";
import { verifyWebhook } from "../webhooks/verify.ts";
import type {
  GatewayNotification,
  PaymentGateway,
  PaymentRequest,
  PaymentResult,
} from "./gateway.ts";

/** How a sandbox payment goes: `input.outcome` of the submission names it (CONTRACT 6). */
export const sandboxOutcomes = [
  "succeed",
  "decline",
  "decline_then_succeed",
  "pending_then_succeed",
  "pending_then_fail",
  "succeed_then_dispute",
  "timeout",
] as const;
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

export interface SandboxOptions {
  /** Lets `checkout.handleNotification("sandbox", …)` read messages signed with it: see `sandboxNotification`. Without it there are none. */
  readonly notificationSecret?: string;
}

/** A process that serves a test mode runs for months. */
const maxRemembered = 10_000;
const signatureHeader = "x-sandbox-signature";

/**
 * Moves no money: test mode only, refused at start-up in live mode. The answer to a payment's `id` stays the same when it is asked again. What
 * `pending_…` and `timeout` come to is told by `getPayment`, so by `checkout.resume` and `runMaintenance`, or by a notification. What it remembers
 * is lost with the process, or after 10,000 more; a reference still tells.
 */
export function sandboxGateway({ notificationSecret }: SandboxOptions = {}): PaymentGateway {
  const payments = new Map<
    string,
    { readonly result: PaymentResult; readonly outcome: SandboxOutcome }
  >();
  const declined = new Set<string>(); // orders whose decline_then_succeed has had its decline

  const read = (
    id: string,
    reference: string | null,
  ): { outcome: SandboxOutcome; result: PaymentResult } | null => {
    const known = payments.get(id);
    if (known) return known;
    const [, outcome, amount, currency = ""] =
      /^sandbox_[^.]+\.([a-z_]+)\.(\d+)\.([A-Z]{3})$/.exec(reference ?? "") ?? [];
    if (reference === null || outcome === undefined) return null;
    return {
      outcome: readOutcome(outcome),
      result: { status: "pending", reference, amount: Number(amount), currency },
    };
  };

  return {
    id: "sandbox",
    livemode: false,
    methods: () => [
      { type: "pix", name: "Pix (sandbox)" },
      { type: "card", name: "Card (sandbox)" },
    ],
    async createPayment(request) {
      const known = payments.get(request.id);
      const outcome = known?.outcome ?? readOutcome(request.input["outcome"]);
      const result = known?.result ?? answer(request, outcome, declined.has(request.order_id));
      if (outcome === "decline_then_succeed") declined.add(request.order_id);
      payments.set(request.id, { result, outcome });
      for (const memory of [declined, payments]) {
        const [oldest] = memory.keys();
        if (memory.size > maxRemembered && oldest !== undefined) memory.delete(oldest);
      }
      // As a provider that took the payment and whose answer got lost.
      if (outcome === "timeout") throw new Error("The sandbox does not answer, as asked.");
      return result;
    },
    async getPayment({ id, reference }) {
      const known = read(id, reference);
      if (!known) return null;
      const { outcome, result } = known;
      if (result.status === "failed") return result;
      if (outcome === "pending_then_fail")
        return { ...result, status: "failed", failure_code: "declined" };
      return { ...result, status: outcome === "decline" ? "failed" : "succeeded" };
    },
    async cancelPayment({ id, reference }) {
      const known = read(id, reference);
      if (known?.result.status === "pending")
        payments.set(id, {
          ...known,
          result: { ...known.result, status: "failed", failure_code: "canceled" },
        });
    },
    refund: async () => ({ status: "succeeded" }),
    ...(notificationSecret === undefined
      ? {}
      : {
          async parseNotification({ body, header }) {
            const verdict = await verifyWebhook<GatewayNotification>({
              rawBody: body,
              header: header(signatureHeader),
              secret: notificationSecret,
              tolerance: Number.MAX_SAFE_INTEGER, // the host's clock may be a test's
            });
            return verdict.ok ? verdict.event : null;
          },
        }),
  };
}

/** What a provider would post to the host: hand it to `checkout.handleNotification("sandbox", …)`. */
export async function sandboxNotification(
  secret: string,
  notification: GatewayNotification,
): Promise<{
  readonly livemode: false;
  readonly body: Uint8Array;
  header(name: string): string | undefined;
}> {
  const body = new TextEncoder().encode(JSON.stringify(notification));
  const signature = await signWebhook({ rawBody: body, secret, timestamp: 1 });
  return {
    livemode: false,
    body,
    header: (name) => (name.toLowerCase() === signatureHeader ? signature : undefined),
  };
}

function answer(
  request: PaymentRequest,
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
    case "succeed_then_dispute":
      return {
        ...base,
        status: "succeeded",
        dispute: { reference: `sandbox_dispute_${id}`, amount, reason: "fraudulent" },
      };
    default:
      return { ...base, status: "succeeded" };
  }
}

/** An outcome that nobody knows is a decline: the attempt is begun, so throwing would leave it open. */
const readOutcome = (value: unknown): SandboxOutcome =>
  value === undefined || value === null
    ? "succeed"
    : (sandboxOutcomes.find((outcome) => outcome === value) ?? "decline");

import type { PaymentGateway, PaymentRequest, PaymentResult } from "./gateway.ts";

export const sandboxOutcomes = ["succeed", "decline"] as const;
export type SandboxOutcome = (typeof sandboxOutcomes)[number];

/** What a payment that names no outcome does. */
const defaultOutcome: SandboxOutcome = "succeed";

/**
 * Moves no money: test mode only. The buyer's page says how the payment ends in `input.outcome`. The answer is a function of the request
 * alone, so the same `id` always gives the same result, over processes and restarts.
 */
export function sandboxGateway(): PaymentGateway {
  return {
    id: "sandbox",
    livemode: false,
    methods: () => [
      { type: "pix", name: "Pix (sandbox)" },
      { type: "card", name: "Card (sandbox)" },
    ],
    createPayment: (request) => Promise.resolve(resultOf(request, readOutcome(request.input["outcome"]))),
  };
}

function resultOf(request: PaymentRequest, outcome: SandboxOutcome): PaymentResult {
  const base = { reference: `sandbox_${request.id}`, amount: request.amount, currency: request.currency };
  return outcome === "succeed" ? { ...base, status: "succeeded" } : { ...base, status: "failed", failure_code: "declined" };
}

const readOutcome = (value: unknown): SandboxOutcome => sandboxOutcomes.find((outcome) => outcome === value) ?? defaultOutcome;

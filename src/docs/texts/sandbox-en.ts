import type { SandboxOutcome } from "../../payments/sandbox/sandbox-outcomes.ts";

/** Tells integrators what each outcome of a sandbox payment does. */
export const outcomeTexts: Readonly<Record<SandboxOutcome, string>> = {
  succeed: "Paid at once.",
  decline: "Declined. The buyer may try again while the session is open.",
  decline_then_succeed: "The first attempt is declined, the next one is paid.",
  pending_then_succeed: "Waits, and is paid at the next look at the provider.",
  pending_then_fail: "Waits, and is declined at the next look at the provider.",
  timeout: "The provider does not answer, although it has the money: the order is paid later.",
  qr_code: "Shows a Pix code and is paid a little later.",
  voucher: "Shows a slip with a number and is paid a little later.",
  three_d_secure: "Sends the buyer to the bank and back, then is paid.",
  refund_fails_later: "Paid at once. A refund of it first succeeds and then fails.",
};

/** The tax ids for tests. Their check digits are right. */
export const testDocuments = {
  "529.982.247-25": "CPF of a person",
  "111.444.777-35": "CPF of another person",
  "11.222.333/0001-81": "CNPJ of a company",
  "12.ABC.345/01DE-35": "CNPJ with letters, as issued from 2026 on",
} as const;

import type { PaymentRequest } from "../gateway/gateway.ts";
import type { PaymentResult } from "../gateway/gateway-results.ts";
import { type SandboxRenewal, sandboxRenewals } from "./sandbox-outcomes.ts";

/** Saves the method of a payment whose buyer has agreed to it. */
export function saveMethod({
  save,
  id,
  method,
  input,
}: PaymentRequest): Pick<PaymentResult, "saved_method"> {
  if (!save) return {};

  const reference = `sandbox_saved_${id}.${readRenewals(input["renewals"])}`;
  return { saved_method: { reference, kind: method.type, label: "Sandbox ···· 4242" } };
}

/** Reads from the reference what the charges of the saved method do. */
export const readSaved = (reference: string): SandboxRenewal =>
  readRenewals(reference.split(".").at(-1));

/** An outcome that is not known declines, as that of a first payment does. */
const readRenewals = (value: unknown): SandboxRenewal =>
  value === undefined || value === null
    ? "succeed"
    : (sandboxRenewals.find((outcome) => outcome === value) ?? "decline");

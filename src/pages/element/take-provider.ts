import type { CheckoutView } from "../../payments/checkout/checkout-service.ts";
import type { SubmitInput } from "../../payments/inputs.ts";
import { attemptKey } from "../parts/form-fields.ts";
import { consentText } from "../parts/renewal.ts";
import { sceneOf, type Visit } from "../visit.ts";

/**
 * Submits the payment of an element anew, for the provider's page: the gateway cancels the one
 * that waits first. Null when no payment waits in an element.
 */
export async function providerSubmission(
  visit: Visit,
  view: CheckoutView,
  fields: URLSearchParams,
): Promise<SubmitInput | null> {
  const method_id = view.element?.payment_method_id ?? null;
  if (method_id === null) return null;
  return {
    payment_method_id: method_id,
    idempotency_key: attemptKey(fields),
    // The buyer has agreed to these words when they chose this method.
    consent: view.recurring && consentText(await sceneOf(visit, view), method_id),
    on_page: false,
    ip: visit.request.ip?.slice(0, 100) || null,
  };
}

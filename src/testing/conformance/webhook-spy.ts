import type { Claim, WebhookStore } from "../../storage/webhook-store.ts";

/**
 * A drain that claims without end would hang its test: timers do not fire between
 * its steps.
 */
const maxClaims = 1_000;

/** Makes a storage that keeps what it was asked for. */
export function spy(inner: WebhookStore) {
  const claims: Claim[] = [];
  const reads: (readonly string[])[] = [];

  const store: WebhookStore = {
    ...inner,
    claimDeliveries(claim) {
      claims.push(claim);
      if (claims.length > maxClaims) throw new Error("The drain claims without end.");
      return inner.claimDeliveries(claim);
    },
    findDestinations(endpoint_ids) {
      reads.push(endpoint_ids);
      return inner.findDestinations(endpoint_ids);
    },
  };
  return { store, claims, reads };
}

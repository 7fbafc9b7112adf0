import type { ClaimedDelivery, EndpointRecord } from "../../rules/webhook-records.ts";
import { completeSession } from "../../steps/checkout-steps.ts";
import type { Claim } from "../../storage/webhook-store.ts";
import type { CaseContext } from "./case.ts";
import { fixtures } from "./fixtures.ts";
import { partition } from "./record-fixtures.ts";

export const endpointRecord = (
  id: string,
  changes: Partial<EndpointRecord> = {},
): EndpointRecord => ({
  ...partition,
  id,
  url: `https://${id}.example.com/`,
  event_types: null,
  state: "enabled",
  disabled_reason: null,
  description: null,
  secrets: [{ sealed: "x", expires_at: null }],
  created_at: 1,
  ...changes,
});

/** Claims deliveries for a minute under a lease token. */
export const claimer =
  ({ storage, clock }: CaseContext) =>
  async (
    lease_token: string,
    changes: Partial<Claim> = {},
  ): Promise<readonly ClaimedDelivery[]> => {
    const { deliveries } = await storage.webhooks.claimDeliveries({
      now: clock.now(),
      lease_until: clock.now() + 60_000,
      lease_token,
      limit: 100,
      per_endpoint: 4,
      quota_by_endpoint: {},
      after_endpoint: null,
      ...changes,
    });
    return deliveries;
  };

/** Completes that many sessions; each writes three events. */
export async function sell(context: CaseContext, count: number): Promise<void> {
  const { openSession, completion } = fixtures(context);

  for (let turn = 0; turn < count; turn += 1)
    await completeSession(context.storage.orders, completion(await openSession()));
}

import type { BackOfficeStore } from "../../../../src/storage/back-office-store.ts";
import type { OrderStore } from "../../../../src/storage/order-store.ts";
import type { Storage } from "../../../../src/storage/types.ts";
import type { WebhookStore } from "../../../../src/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { claimOnCitus } from "./claim.ts";
import { indexOrdersOnCitus } from "./index-orders.ts";
import { citusMaintenance } from "./maintenance.ts";
import { claimNoticesOnCitus } from "./notices.ts";
import { pruneOnCitus } from "./prune.ts";
import { purgeOnCitus } from "./purge.ts";
import { releaseOnCitus, settleOnCitus } from "./settle.ts";
import { skipStep } from "./skip.ts";

type CitusSteps = Pick<
  OrderStore & WebhookStore & BackOfficeStore & Storage,
  | "claimOrders"
  | "claimHolds"
  | "claimAttempts"
  | "claimPayments"
  | "claimRefunds"
  | "claimDeliveries"
  | "settleDeliveries"
  | "releaseDeliveries"
  | "skipDeliveries"
  | "deleteEndpoint"
  | "claimNotices"
  | "prune"
  | "indexOrders"
  | "purge"
>;

/** The end of an endpoint skips at most this many of its deliveries. */
const skipsPerDeletion = 1_000_000;

/** The steps that span stores: a read of all shards, then a write for each store. */
export function citusSteps(engine: SqlEngine, plain: WebhookStore): CitusSteps {
  const skip = skipStep(engine);

  return {
    ...citusMaintenance(engine),
    claimDeliveries: claimOnCitus(engine),
    settleDeliveries: settleOnCitus(engine),
    releaseDeliveries: releaseOnCitus(engine),
    skipDeliveries: (store_id, endpoint_id, limit, now) =>
      engine.write(() => skip({ store_id, endpoint_id }, limit, now)),
    // A claim looks at endpoints: it would not find the deliveries of one that is gone.
    async deleteEndpoint(partition, id, now) {
      const isDeleted = await plain.deleteEndpoint(partition, id, now);
      const endpoint = { store_id: partition.store_id, endpoint_id: id };
      await engine.write(() => skip(endpoint, skipsPerDeletion, now));
      return isDeleted;
    },
    claimNotices: claimNoticesOnCitus(engine),
    prune: pruneOnCitus(engine),
    indexOrders: indexOrdersOnCitus(engine),
    purge: purgeOnCitus(engine),
  };
}

import type { Storage } from "../../../../src/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { claimOnCitus } from "./claim.ts";
import { citusMaintenance } from "./maintenance.ts";
import { claimNoticesOnCitus } from "./notices.ts";
import { pruneOnCitus } from "./prune.ts";
import { purgeOnCitus } from "./purge.ts";
import { releaseOnCitus, settleOnCitus } from "./settle.ts";
import { skipStep } from "./skip.ts";

/** The most deliveries that the end of an endpoint skips in its own transaction. */
const skipsPerDeletion = 1_000_000;

/** The steps that span stores, each as a read of all shards and a write for each store. */
export function storesOnCitus(engine: SqlEngine, { orders, webhooks }: Storage) {
  const skip = skipStep(engine);

  return {
    orders: { ...orders, ...citusMaintenance(engine) },
    webhooks: {
      ...webhooks,
      claimDeliveries: claimOnCitus(engine),
      settleDeliveries: settleOnCitus(engine),
      releaseDeliveries: releaseOnCitus(engine),
      skipDeliveries: (store_id, endpoint_id, limit, now) =>
        engine.write(() => skip({ store_id, endpoint_id }, limit, now)),
      claimNotices: claimNoticesOnCitus(engine),
      prune: pruneOnCitus(engine),
      // A claim looks at endpoints: it would not find the deliveries of one that is gone.
      async deleteEndpoint(partition, id, now) {
        const isDeleted = await webhooks.deleteEndpoint(partition, id, now);
        const endpoint = { store_id: partition.store_id, endpoint_id: id };
        await engine.write(() => skip(endpoint, skipsPerDeletion, now));
        return isDeleted;
      },
    },
    purge: purgeOnCitus(engine),
  } satisfies Pick<Storage, "orders" | "webhooks" | "purge">;
}

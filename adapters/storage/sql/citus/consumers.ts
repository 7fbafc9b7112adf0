import type { ConsumerClaim, ConsumerStore } from "#core/storage/consumer-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { leaseNews, maxStores, storesWithNews } from "../webhooks/consumers.ts";
import type { Lanes } from "./lanes/lanes.ts";

/** Finds the stores with news by a read of all shards, and leases one of them in a transaction. */
export function claimEventsOnCitus(engine: SqlEngine, lanes: Lanes): ConsumerStore["claimEvents"] {
  const findStores = lanes.reader(
    (db) => (claim: ConsumerClaim) => storesWithNews(db, claim).compile(),
  );

  return async (claim) => {
    const { rows } = await findStores(claim);
    const stores = rows.toSorted((a, b) => a.waits_since - b.waits_since).slice(0, maxStores);
    for (const store of stores) {
      const { done } = await lanes.writeEach([store], () =>
        engine.write(() => leaseNews(engine, claim, store)),
      );
      if (done[0]) return done[0];
    }
    return null;
  };
}

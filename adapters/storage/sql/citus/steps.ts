import type { AuditStore } from "#core/storage/audit-store.ts";
import type { BackOfficeStore } from "#core/storage/back-office-store.ts";
import type { CheckoutStore } from "#core/storage/checkout-store.ts";
import type { ConsumerStore } from "#core/storage/consumer-store.ts";
import type { LeftErasure } from "#core/storage/privacy-store.ts";
import type { GaugesStore } from "#core/storage/reads/gauges-store.ts";
import type { Storage } from "#core/storage/types.ts";
import type { WebhookStore } from "#core/storage/webhook-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { leftIn, leftQuery } from "../erasure/left.ts";
import type { Naming } from "../schema/names.ts";
import { destinationQuery, idList, readDestinations } from "../webhooks/claim/destinations.ts";
import { claimOnCitus } from "./claim.ts";
import { claimEventsOnCitus } from "./consumers.ts";
import { gaugesOnCitus, lagOnCitus } from "./gauges.ts";
import { indexOrdersOnCitus, indexProductsOnCitus } from "./index-orders.ts";
import { citusLanes, type Lanes } from "./lanes/lanes.ts";
import { lookupOnCitus } from "./lookup.ts";
import { citusMaintenance } from "./maintenance.ts";
import { nextWorkOnCitus } from "./next-work.ts";
import { claimNoticesOnCitus } from "./notices.ts";
import { pruneOnCitus } from "./prune.ts";
import { kindDeleter, purgeOnCitus } from "./purge.ts";
import { releaseOnCitus, settleOnCitus } from "./settle.ts";
import { skipStep } from "./skip.ts";

type CitusSteps = ReturnType<typeof citusMaintenance> &
  Pick<WebhookStore, "claimNotices" | "prune"> &
  ReturnType<typeof deliverySteps> &
  Pick<ConsumerStore, "claimEvents" | "lag"> &
  Pick<BackOfficeStore, "indexOrders" | "indexProducts"> &
  Pick<CheckoutStore, "openCheckout" | "loadCart"> &
  Pick<Storage, "purge"> & {
    readonly pruneAudit: AuditStore["prune"];
    readonly readGauges: GaugesStore["read"];
    readonly readLeft: (before: number) => Promise<LeftErasure | null>;
  };

/**
 * Makes the steps that replace those of plain PostgreSQL. A step that spans stores reads
 * all shards first, and then writes to each shard.
 */
export function citusSteps(
  engine: SqlEngine,
  naming: Naming,
  { consumers }: Pick<Storage, "consumers">,
): CitusSteps {
  const lanes = citusLanes(engine, naming);

  return {
    ...citusMaintenance(engine, lanes),
    ...deliverySteps(engine, lanes),
    claimNotices: claimNoticesOnCitus(engine, lanes),
    prune: pruneOnCitus(engine, lanes),
    claimEvents: claimEventsOnCitus(engine, lanes),
    lag: lagOnCitus(lanes, consumers.lag),
    readGauges: gaugesOnCitus(engine, lanes),
    readLeft: readLeftOnCitus(lanes),
    indexOrders: indexOrdersOnCitus(engine, lanes),
    indexProducts: indexProductsOnCitus(engine, lanes),
    ...lookupOnCitus(engine),
    purge: purgeOnCitus(engine, lanes),
    pruneAudit: auditPruner(kindDeleter(engine, lanes)),
  };
}

/** Finds an erasure that is left by a read of all shards whose nodes can be reached. */
function readLeftOnCitus(lanes: Lanes): CitusSteps["readLeft"] {
  const find = lanes.reader((db) => (before: number) => leftQuery(db, before).compile());
  return async (before) => leftIn((await find(before)).rows[0]);
}

const auditPruner =
  (deleteKind: ReturnType<typeof kindDeleter>): AuditStore["prune"] =>
  (before, limit) =>
    deleteKind({ table: "audit_log", column: "created_at", before: before - 1 }, limit);

function deliverySteps(engine: SqlEngine, lanes: Lanes) {
  const skip = skipStep(engine);
  const findDestinations = lanes.reader((db) => destinationQuery(engine.dialect, db));

  return {
    claimDeliveries: claimOnCitus(engine, lanes),
    settleDeliveries: settleOnCitus(engine, lanes),
    releaseDeliveries: releaseOnCitus(engine, lanes),
    skipDeliveries: (store_id, endpoint_id, limit, now) =>
      engine.write(() => skip({ store_id, endpoint_id }, limit, now)),
    // A claim looks at endpoints: it would not find the deliveries of one that is gone.
    findNextWork: nextWorkOnCitus(engine, lanes),
    async findDestinations(endpoint_ids) {
      return readDestinations((await findDestinations(idList(endpoint_ids))).rows);
    },
  } satisfies Partial<WebhookStore>;
}

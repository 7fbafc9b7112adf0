import { foundRecord } from "#core/rules/owner/record-kinds.ts";
import { healthy, resetsHealth } from "#core/rules/webhooks/health.ts";
import type { EndpointRecord } from "#core/rules/webhooks/webhook-records.ts";
import { lockStore } from "../access/lock-store.ts";
import { partitionColumns, toBool } from "../engine/columns.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { many, one } from "../engine/queries.ts";
import { readEndpoint, selectEndpoint } from "../webhooks/endpoints.ts";
import { endpointColumns } from "../webhooks/rows.ts";
import type { RecordRows } from "./record-rows.ts";

const healthyColumns = {
  ...healthy,
  several_events: toBool(healthy.several_events),
  warned: toBool(healthy.warned),
};

const rowOf = (endpoint: EndpointRecord) => ({ ...partitionColumns(endpoint), id: endpoint.id });

/** Keeps endpoints. One that is changed is locked alone, as a batch of outcomes locks it. */
export const endpointRows = (engine: SqlEngine): RecordRows<"endpoint"> => {
  const { db, dialect } = engine;

  return {
    *load({ store_id, livemode = false, id, may }) {
      const owner_exists =
        may !== "make" || (yield* one(lockStore(engine, store_id))) !== undefined;
      const stored = selectEndpoint(db, { store_id, livemode }, id);
      const record = readEndpoint(yield* one(dialect.forUpdate(stored)));
      if (may !== "make") return foundRecord<"endpoint">({ record });

      const ofStore = db.selectFrom("webhook_endpoints").where("store_id", "=", store_id);
      const rows = yield* many(ofStore.select("id").where("id", "!=", id));
      return foundRecord<"endpoint">({ owner_exists, record, others: rows.length });
    },
    *put(after, before) {
      const columns = endpointColumns(after);
      if (before === null) {
        yield* many(db.insertInto("webhook_endpoints").values({ ...rowOf(after), ...columns }));
        return true;
      }

      const health = resetsHealth(before, after) ? healthyColumns : {};
      yield* many(
        db
          .updateTable("webhook_endpoints")
          .set({ ...columns, ...health })
          .where((eb) => eb.and(rowOf(after))),
      );
      return true;
    },
    *remove(endpoint) {
      yield* many(db.deleteFrom("webhook_endpoints").where((eb) => eb.and(rowOf(endpoint))));
    },
  };
};

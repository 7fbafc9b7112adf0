import { lazyService } from "../../domain/async/lazy-service.ts";
import type { WebhookStore } from "../../storage/webhook-store.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";
import { memoryClaims } from "./claims.ts";
import type { DeliverySteps } from "./deliveries.ts";
import { memoryEndpoints } from "./endpoints.ts";
import { findEvent } from "./events.ts";
import { memoryNotices } from "./notices.ts";

export function memoryWebhooks(state: MemoryState): WebhookStore {
  // Only the owner's calls need these, so the first of them loads the file.
  const own = lazyService<DeliverySteps>(async () =>
    (await import("./deliveries.ts")).memoryDeliveries(state),
  );

  return {
    ...memoryEndpoints(state),
    listDeliveries: (...query) => own.listDeliveries(...query),
    listAttempts: (...query) => own.listAttempts(...query),
    recoverDeliveries: (...query) => own.recoverDeliveries(...query),
    ...memoryClaims(state),
    ...memoryNotices(state),
    async listEvents({ after, limit, ...partition }) {
      const stored = state.webhooks.events.get(rowKey(partition)) ?? [];
      const cursor = after === undefined ? undefined : findEvent(state, partition, after);
      if (after !== undefined && !cursor) return { outcome: "unknown_cursor" };

      const firstSequence = stored[0]?.sequence ?? 0;
      const later = cursor ? stored.slice(cursor.sequence - firstSequence + 1) : stored;
      if (cursor && later.some(({ body }) => body === null)) return { outcome: "cursor_expired" };

      const events = later.filter(({ body }) => body !== null).slice(0, limit + 1);
      return { outcome: "listed", events };
    },
    // A process that answers requests alone neither settles nor prunes.
    async settleDeliveries(settlements, now) {
      const { settleBatch } = await import("../../rows/webhooks/settlements.ts");
      const { settlementRows } = await import("./settlement-rows.ts");
      return settleBatch(settlementRows(state), settlements, now);
    },
    prune: async (range) => (await import("./prune.ts")).pruneWebhooks(state, range),
  };
}

import { by, pageOf } from "../../rows/page.ts";
import { type NumberedBlock, oldestKept } from "../../rules/request-log/request-log.ts";
import type { RequestLogStore } from "../../storage/request-log-store.ts";
import { modes } from "../catalog/catalog-rows.ts";
import { rowKey } from "../row-key.ts";
import type { MemoryState } from "../state.ts";

const mostFound = 100;

export function memoryRequests({ requests }: MemoryState): RequestLogStore {
  const blocksIn = (store_id: string, livemode: boolean): readonly NumberedBlock[] =>
    requests.get(rowKey({ store_id, livemode })) ?? [];

  return {
    async append(block) {
      const known = blocksIn(block.store_id, block.livemode);
      if (known.some(({ last_id }) => last_id === block.last_id)) return;

      const newest = known.at(-1);
      const number = newest ? newest.number + newest.places : 0;
      const oldest = oldestKept(number + block.places);
      const kept = known.filter((other) => other.number >= oldest);
      requests.set(rowKey(block), [...kept, { ...block, number }]);
    },

    async listBlocks({ store_id, livemode, before, now, ...page }) {
      const blocks = blocksIn(store_id, livemode).filter(({ expires_at }) => expires_at > now);
      const after = before === null ? null : { number: before };
      return pageOf(blocks, by("-number"), { ...page, after });
    },

    async findBlocks({ store_id, id, now }) {
      const blocks = modes.flatMap((livemode) => blocksIn(store_id, livemode));
      return blocks
        .filter(
          ({ first_id, last_id, expires_at }) =>
            first_id <= id && id <= last_id && expires_at > now,
        )
        .slice(0, mostFound);
    },
  };
}

import type { Storage } from "../storage/types.ts";

/** Wipes the data of a store's test mode, chunk by chunk. A run after a crash does the rest. */
export async function wipeInChunks(
  { privacy }: Pick<Storage, "privacy">,
  store_id: string,
): Promise<void> {
  let position: string | null = null;
  do {
    position = await privacy.wipeTestChunk(store_id, position);
  } while (position !== null);
}

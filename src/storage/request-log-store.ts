import type { Partition } from "../rules/records.ts";
import type { NumberedBlock, RequestBlock } from "../rules/request-log/request-log.ts";
import type { AgeOrder } from "./reads/listing-store.ts";

/** Selects the blocks of the request log that a list shows. */
export interface BlockQuery extends Partition, AgeOrder {
  /**
   * Gives blocks with a smaller number than this, or a greater one with `oldest_first`. Null begins
   * with the first block of the order.
   */
  readonly before: number | null;
  readonly limit: number;
  /** Leaves out blocks that have expired by this time, in epoch milliseconds. */
  readonly now: number;
}

/** A request of a store's log, by its id. */
export interface RequestLookup {
  readonly store_id: string;
  readonly id: string;
  readonly now: number;
}

/** Stores the request log. No request waits for it. */
export interface RequestLogStore {
  /**
   * Appends a block after the others of its store and mode, and deletes the oldest
   * ones that are then beyond 10,000 places (`oldestKept`). A block that is stored already stays as
   * it is.
   */
  append(block: RequestBlock): Promise<void>;
  /** Lists blocks, the one with the highest number first. */
  listBlocks(query: BlockQuery): Promise<readonly NumberedBlock[]>;
  /**
   * Gives at most 100 blocks, of both modes, that may hold the request: its id lies
   * between the first and the last id of the block, or is one of them.
   */
  findBlocks(lookup: RequestLookup): Promise<readonly NumberedBlock[]>;
}

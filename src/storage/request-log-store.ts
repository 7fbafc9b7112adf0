import type { Partition } from "../rules/records.ts";
import type { NumberedBlock, RequestBlock } from "../rules/request-log.ts";

export interface BlockQuery extends Partition {
  /** Blocks before the one of this number; null: from the newest one on. */
  readonly before: number | null;
  readonly limit: number;
  /** Blocks that have expired by then are left out. Epoch milliseconds. */
  readonly now: number;
}

export interface RequestLookup {
  readonly store_id: string;
  readonly id: string;
  readonly now: number;
}

/** What the request log keeps. No request waits for it. */
export interface RequestLogStore {
  /**
   * Appends a block behind the others of its store and mode, and deletes the oldest ones
   * that are beyond `mostPlaces` then. A block that is there already stays as it is.
   */
  append(block: RequestBlock): Promise<void>;
  /** Newest first by number. */
  listBlocks(query: BlockQuery): Promise<readonly NumberedBlock[]>;
  /**
   * The blocks of both modes that may hold the request: its id is neither before their
   * first one nor behind their last one. At most 100.
   */
  findBlocks(lookup: RequestLookup): Promise<readonly NumberedBlock[]>;
}

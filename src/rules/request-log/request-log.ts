import type { PublicErrorCode } from "../../contract/errors.ts";
import type { Partition } from "../records.ts";
import { type RequestEntry, readEntries, writeEntries } from "./request-log-entries.ts";

/**
 * A block of requests of one store and mode that were logged together. They are one
 * row, because a row for each request would cost a checkout several times as much.
 */
export interface RequestBlock extends Partition {
  /** The request ids of the block go from `first_id`, the smallest, to `last_id`, the largest. */
  readonly first_id: string;
  readonly last_id: string;
  /** The number of places that the block takes, of the 10,000 that a store has in a mode. */
  readonly places: number;
  /** The time, in epoch milliseconds, from which on the block counts as deleted. */
  readonly expires_at: number;
  /** JSON that only vitrine reads: the requests, in the order in which they ended. */
  readonly entries: string;
}

/** A block with its place in the log of its store and mode. */
export interface NumberedBlock extends RequestBlock {
  /**
   * The number of places in all blocks before this one. Once all blocks are deleted, it may begin
   * at 0 again.
   */
  readonly number: number;
}

/**
 * The number of places that a store has in each mode. A block takes one place for each of its
 * requests, or one for each 2 KiB that it begins, whichever number is higher. So the places limit
 * both the requests (10,000) and their bytes (20 MiB).
 */
export const mostPlaces = 10_000;
const bytesPerPlace = Math.floor((20 * 1_048_576) / mostPlaces);

/** Gives the smallest number of the blocks that are kept when the log ends at `end`. */
export const oldestKept = (end: number): number => end - mostPlaces;

const mostBlockBytes = 65_536;

/** An entry that waits to be written. */
export interface LoggedRequest extends Partition {
  readonly entry: RequestEntry;
}

/** Puts the requests of each store and mode together, at most 64 KiB in a block. */
export function blocksOf(
  requests: readonly LoggedRequest[],
  keptMs: number,
): readonly RequestBlock[] {
  const groups: Group[] = [];
  for (const { store_id, livemode, entry } of requests) {
    const known = groups.findLast((one) => one.store_id === store_id && one.livemode === livemode);
    if (known) known.entries.push(entry);
    else groups.push({ store_id, livemode, entries: [entry] });
  }
  return groups.flatMap((group) => blocksOfGroup(group, keptMs));
}

interface Group extends Partition {
  readonly entries: RequestEntry[];
}

/**
 * Entries that are too long for one block are divided into halves. The texts of an entry are ASCII,
 * so a letter is a byte.
 */
function blocksOfGroup({ entries, ...partition }: Group, keptMs: number): readonly RequestBlock[] {
  const json = writeEntries(entries);
  if (json.length > mostBlockBytes && entries.length > 1) {
    const middle = Math.ceil(entries.length / 2);
    const halves = [entries.slice(0, middle), entries.slice(middle)];
    return halves.flatMap((half) => blocksOfGroup({ ...partition, entries: half }, keptMs));
  }

  const ids = entries.map(({ id }) => id).sort();
  return [
    {
      ...partition,
      first_id: ids[0] ?? "",
      last_id: ids.at(-1) ?? "",
      places: Math.max(entries.length, Math.ceil(json.length / bytesPerPlace)),
      expires_at: Math.max(...entries.map(({ created_at }) => created_at)) + keptMs,
      entries: json,
    },
  ];
}

/** Selects the requests of a list. */
export interface RequestFilter {
  readonly code?: PublicErrorCode;
  readonly status?: number;
  readonly route?: string;
}

export const matchesFilter = (
  entry: RequestEntry,
  { code, status, route }: RequestFilter,
): boolean =>
  (code === undefined || entry.code === code) &&
  (status === undefined || entry.status === status) &&
  (route === undefined || entry.route === route);

/** Reads the entries of a block. Only `blocksOf` writes this JSON. */
export const entriesOf = ({ entries }: RequestBlock): readonly RequestEntry[] =>
  readEntries(entries);

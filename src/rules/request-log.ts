import type { PublicErrorCode } from "../contract/errors.ts";
import type { Partition } from "./records.ts";

/** `new` means that the request did its work. The last two mean that it was refused with 409. */
export type IdempotencyOutcome = "new" | "replayed" | "in_progress" | "different_body";

/**
 * The entry of one request in the log. A field that would be empty is left out,
 * because the JSON would otherwise be twice as long.
 */
export interface RequestEntry {
  /** The id begins with `req_`. It is the value of `X-Request-Id`. */
  readonly id: string;
  /** The time when the request came in, in epoch milliseconds. */
  readonly created_at: number;
  readonly key_id: string;
  /**
   * The method and path of the contract's table. It is left out when the request
   * reached no route.
   */
  readonly route?: string | undefined;
  readonly status: number;
  readonly code?: PublicErrorCode | undefined;
  /** The parameter in error, without any name that a client made up. `loggedParam` makes it. */
  readonly param?: string | undefined;
  readonly duration_ms: number;
  readonly idempotency?: IdempotencyOutcome | undefined;
  /** For a limited call: how many of them the row stands for. `LimitedCalls` counts them. */
  readonly limited_calls?: number | undefined;
  /** The id of the first request with the same Idempotency-Key, for a replay or a 409. */
  readonly earlier_request_id?: string | undefined;
  /** The paths at which the request differs from that one. `differentPaths` finds them. */
  readonly different_paths?: readonly string[] | undefined;
  /** The client's network, which `networkOf` gives. */
  readonly network?: string | undefined;
  /** The JSON that `bodyShape` wrote. */
  readonly body?: string | undefined;
}

/**
 * A block of requests of one store and mode that were logged together. They are one
 * row, because a row for each request would cost a checkout several times as much.
 */
export interface RequestBlock extends Partition {
  /** The smallest and the largest request id of the block. */
  readonly first_id: string;
  readonly last_id: string;
  /** The number of places that the block takes of those of a store. `mostPlaces` limits them. */
  readonly places: number;
  /** From this time on, the block counts as deleted. It is in epoch milliseconds. */
  readonly expires_at: number;
  /** The JSON of a list of `RequestEntry`, in the order in which the requests ended. */
  readonly entries: string;
}

/** A block with its place in the log of its store and mode. */
export interface NumberedBlock extends RequestBlock {
  /** The number of places that all earlier blocks took. */
  readonly number: number;
}

/**
 * A store has this many places in each mode. A request takes one place for each
 * started 2 KiB, so that this limits both the requests (10,000) and their bytes (20
 * MiB).
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
  const open = new Map<string, OpenBlock>();
  const blocks: OpenBlock[] = [];
  for (const { store_id, livemode, entry } of requests) {
    const json = JSON.stringify(entry);
    const name = `${store_id}\n${livemode}`;
    let block = open.get(name);
    if (!block || block.bytes + bytesOf(json) > mostBlockBytes) {
      const range = { first_id: entry.id, last_id: entry.id, newest_at: entry.created_at };
      block = { store_id, livemode, ...range, bytes: 0, places: 0, entries: [] };
      open.set(name, block);
      blocks.push(block);
    }
    addTo(block, entry, json);
  }

  return blocks.map(({ bytes: _, newest_at, entries, ...block }) => ({
    ...block,
    expires_at: newest_at + keptMs,
    entries: `[${entries.join(",")}]`,
  }));
}

interface OpenBlock extends Partition {
  first_id: string;
  last_id: string;
  newest_at: number;
  bytes: number;
  places: number;
  readonly entries: string[];
}

/**
 * Counts the bytes of an entry with the comma behind it. The texts of an entry are
 * ASCII, so a letter is a byte.
 */
const bytesOf = (json: string): number => json.length + 1;

function addTo(block: OpenBlock, { id, created_at }: RequestEntry, json: string): void {
  if (id < block.first_id) block.first_id = id;
  if (id > block.last_id) block.last_id = id;
  block.newest_at = Math.max(block.newest_at, created_at);
  block.bytes += bytesOf(json);
  block.places += Math.ceil(bytesOf(json) / bytesPerPlace);
  block.entries.push(json);
}

/** The filters of a list of requests. */
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
  JSON.parse(entries);

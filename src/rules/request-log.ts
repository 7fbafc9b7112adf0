import type { PublicErrorCode } from "../contract/errors.ts";
import type { Partition } from "./records.ts";

/** `new`: the request did its work. The last two were refused with 409. */
export type IdempotencyOutcome = "new" | "replayed" | "in_progress" | "different_body";

/**
 * What the request log keeps of one request. A field that would be empty is left out:
 * JSON of it would be twice as long.
 */
export interface RequestEntry {
  /** `req_…`, the value of `X-Request-Id`. */
  readonly id: string;
  /** When the request came in, epoch milliseconds. */
  readonly created_at: number;
  readonly key_id: string;
  /** Method and path of the contract's table; left out when the request reached no route. */
  readonly route?: string | undefined;
  readonly status: number;
  readonly code?: PublicErrorCode | undefined;
  /** The parameter in error, without any name that a client made up: see `loggedParam`. */
  readonly param?: string | undefined;
  readonly duration_ms: number;
  readonly idempotency?: IdempotencyOutcome | undefined;
  /** The first request under the same Idempotency-Key, for a replay or a 409. */
  readonly earlier_request_id?: string | undefined;
  /** Where the request differs from that one: see `differentPaths`. */
  readonly different_paths?: readonly string[] | undefined;
  /** The client's network: see `networkOf`. */
  readonly network?: string | undefined;
  /** JSON that `bodyShape` wrote. */
  readonly body?: string | undefined;
}

/**
 * Requests of one store and mode that were logged together. They are one row: a row for
 * each request would cost a checkout several times as much.
 */
export interface RequestBlock extends Partition {
  /** The smallest and the largest request id of the block. */
  readonly first_id: string;
  readonly last_id: string;
  /** How many of a store's places the block takes: see `mostPlaces`. */
  readonly places: number;
  /** From this time on the block is as good as deleted, epoch milliseconds. */
  readonly expires_at: number;
  /** JSON of a list of `RequestEntry`, in the order in which the requests ended. */
  readonly entries: string;
}

/** A block with its place in the log of its store and mode. */
export interface NumberedBlock extends RequestBlock {
  /** How many places all earlier blocks took. */
  readonly number: number;
}

/**
 * How many places a store has in each mode. A request takes one for each 2 KiB begun, so
 * that this bounds both the requests (10,000) and their bytes (20 MiB).
 */
export const mostPlaces = 10_000;
const bytesPerPlace = Math.floor((20 * 1_048_576) / mostPlaces);

/** Blocks with a smaller number go when the log ends at `end`. */
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

/** With the comma behind it. The texts of an entry are ASCII: a letter is a byte. */
const bytesOf = (json: string): number => json.length + 1;

function addTo(block: OpenBlock, { id, created_at }: RequestEntry, json: string): void {
  if (id < block.first_id) block.first_id = id;
  if (id > block.last_id) block.last_id = id;
  block.newest_at = Math.max(block.newest_at, created_at);
  block.bytes += bytesOf(json);
  block.places += Math.ceil(bytesOf(json) / bytesPerPlace);
  block.entries.push(json);
}

/** What a list of requests is filtered by. */
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

/** `blocksOf` alone writes this JSON. */
export const entriesOf = ({ entries }: RequestBlock): readonly RequestEntry[] =>
  JSON.parse(entries);

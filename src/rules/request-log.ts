import type { PublicErrorCode } from "../contract/errors.ts";
import type { Partition } from "./records.ts";

/** `new` means that the request did its work. The last two mean that it was refused with 409. */
export type IdempotencyOutcome = "new" | "replayed" | "in_progress" | "different_body";

/** The entry of one request in the log. A field that would be empty is left out. */
export interface RequestEntry {
  /** The id begins with `req_`. It is the value of `X-Request-Id`. */
  readonly id: string;
  /** The request came in at this time, in epoch milliseconds. */
  readonly created_at: number;
  readonly key_id: string;
  /**
   * It is the method and path of the contract's table. It is left out when the
   * request reached no route.
   */
  readonly route?: string | undefined;
  readonly status: number;
  readonly code?: PublicErrorCode | undefined;
  /**
   * It is the parameter in error, without any name that a client made up.
   * `loggedParam` makes it.
   */
  readonly param?: string | undefined;
  readonly duration_ms: number;
  readonly idempotency?: IdempotencyOutcome | undefined;
  /** The row stands for this many limited calls. `LimitedCalls` counts them. */
  readonly limited_calls?: number | undefined;
  /** It is the id of the first request with the same Idempotency-Key, for a replay or a 409. */
  readonly earlier_request_id?: string | undefined;
  /** The request differs from that one at these paths. `differentPaths` finds them. */
  readonly different_paths?: readonly string[] | undefined;
  /** It is the client's network, which `networkOf` gives. */
  readonly network?: string | undefined;
  /** It is the JSON that `bodyShape` wrote. */
  readonly body?: string | undefined;
}

/**
 * A block of requests of one store and mode that were logged together. They are one
 * row, because a row for each request would cost a checkout several times as much.
 */
export interface RequestBlock extends Partition {
  /** The request ids of the block go from `first_id`, the smallest, to `last_id`, the largest. */
  readonly first_id: string;
  readonly last_id: string;
  /** The block takes this many places of those of a store. `mostPlaces` limits them. */
  readonly places: number;
  /** From this time on, the block counts as deleted. It is in epoch milliseconds. */
  readonly expires_at: number;
  /** It is JSON that only vitrine reads: the requests, in the order in which they ended. */
  readonly entries: string;
}

/** A block with its place in the log of its store and mode. */
export interface NumberedBlock extends RequestBlock {
  /** All earlier blocks took this many places. */
  readonly number: number;
}

/**
 * A store has this many places in each mode. A block takes one place for each of its
 * requests, or one for each 2 KiB that it begins, whichever number is higher. So the places
 * limit both the requests (10,000) and their bytes (20 MiB).
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
 * Writes the entries of a store and mode as one JSON, because to write a JSON for each entry takes
 * twice the time. Entries that are too long for one block are divided into halves. The texts of an
 * entry are ASCII, so a letter is a byte.
 */
function blocksOfGroup({ entries, ...partition }: Group, keptMs: number): readonly RequestBlock[] {
  const json = JSON.stringify(entries.map(rowOf));
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

/**
 * A block has a list of values for each request, in this order, because the names of the fields
 * would take half of its bytes. The values that are rarely there come last.
 */
const rowFields = [
  "id",
  "created_at",
  "key_id",
  "status",
  "duration_ms",
  "route",
  "network",
  "idempotency",
  "code",
  "param",
  "body",
  "earlier_request_id",
  "different_paths",
  "limited_calls",
] as const satisfies readonly (keyof RequestEntry)[];

function rowOf(entry: RequestEntry): readonly unknown[] {
  const values: unknown[] = [];
  for (const field of rowFields) values.push(entry[field]);
  while (values.at(-1) === undefined) values.pop();
  return values;
}

function entryOf(row: unknown): RequestEntry {
  // An older version wrote the fields with their names.
  if (!Array.isArray(row)) return row as RequestEntry;

  const fields = rowFields.map((field, at) => [field, row[at]]);
  return Object.fromEntries(fields.filter(([, value]) => value !== null && value !== undefined));
}

/** Reads the entries of a block. Only `blocksOf` writes this JSON. */
export function entriesOf({ entries }: RequestBlock): readonly RequestEntry[] {
  const rows: readonly unknown[] = JSON.parse(entries);
  return rows.map(entryOf);
}

import type { PublicErrorCode } from "../../contract/errors.ts";

/** `new` means that the request did its work. The last two mean that it was refused with 409. */
export type IdempotencyOutcome = "new" | "replayed" | "in_progress" | "different_body";

/** The entry of one request in the log. A field that would be empty is left out. */
export interface RequestEntry {
  /** The id begins with `req_`. It is the value of `X-Request-Id`. */
  readonly id: string;
  /** The time at which the request came in, in epoch milliseconds. */
  readonly created_at: number;
  readonly key_id: string;
  /**
   * The method and path of the contract's table. It is left out when the
   * request reached no route.
   */
  readonly route?: string | undefined;
  readonly status: number;
  readonly code?: PublicErrorCode | undefined;
  /**
   * The parameter in error, without any name that a client made up.
   * `loggedParam` makes it.
   */
  readonly param?: string | undefined;
  readonly duration_ms: number;
  readonly idempotency?: IdempotencyOutcome | undefined;
  /** The number of limited calls for which the row stands. `LimitedCalls` counts them. */
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

// The JSON of a block. What many requests have in common, such as the key and the route, is written
// once, and each request names it by its place: a block has a quarter of the bytes of a list of
// entries, and is written in half of the time.

type Common = Pick<
  RequestEntry,
  "key_id" | "route" | "status" | "code" | "idempotency" | "network"
>;
type Rare = Pick<
  RequestEntry,
  "param" | "limited_calls" | "earlier_request_id" | "different_paths" | "body"
>;

type Row = readonly [
  id: string,
  created_at: number,
  duration_ms: number,
  /** The place in `common`. */
  place: number,
  rare?: Rare,
];

interface WrittenEntries {
  readonly common: readonly Common[];
  readonly rows: readonly Row[];
}

export function writeEntries(entries: readonly RequestEntry[]): string {
  const common: Common[] = [];

  const placeOf = (entry: RequestEntry): number => {
    const known = common.findIndex((one) => isCommon(one, entry));
    if (known >= 0) return known;

    const { key_id, route, status, code, idempotency, network } = entry;
    return common.push({ key_id, route, status, code, idempotency, network }) - 1;
  };
  const rows = entries.map((entry): Row => {
    const { id, created_at, duration_ms } = entry;
    const rare = rareOf(entry);
    return rare
      ? [id, created_at, duration_ms, placeOf(entry), rare]
      : [id, created_at, duration_ms, placeOf(entry)];
  });

  return JSON.stringify({ common, rows } satisfies WrittenEntries);
}

const isCommon = (one: Common, other: Common): boolean =>
  one.route === other.route &&
  one.status === other.status &&
  one.key_id === other.key_id &&
  one.network === other.network &&
  one.idempotency === other.idempotency &&
  one.code === other.code;

/** Gives null for most requests: they were not refused. */
function rareOf(entry: RequestEntry): Rare | null {
  const { param, limited_calls, earlier_request_id, different_paths, body } = entry;
  const isRare =
    param !== undefined ||
    limited_calls !== undefined ||
    earlier_request_id !== undefined ||
    different_paths !== undefined ||
    body !== undefined;
  return isRare ? { param, limited_calls, earlier_request_id, different_paths, body } : null;
}

/** Reads what `writeEntries` wrote. */
export function readEntries(json: string): readonly RequestEntry[] {
  const written: WrittenEntries | readonly RequestEntry[] = JSON.parse(json);
  // An older version wrote a list of entries.
  if (!("rows" in written)) return written;

  return written.rows.map(([id, created_at, duration_ms, place, rare]) => {
    const common = written.common[place];
    if (!common) throw new Error("The request log holds a block that vitrine did not write.");

    return { id, created_at, duration_ms, ...common, ...rare };
  });
}

import { z } from "zod";
import { type PublicErrorCode, publicErrors } from "../contract/errors.ts";
import { remedies } from "../contract/openapi/error-remedies.ts";
import { paths } from "../contract/paths.ts";
import type { Page } from "../contract/routes.ts";
import type { CursorPlace } from "../domain/text/cursor.ts";
import { iso } from "../domain/text/iso.ts";
import { check } from "../input/check.ts";
import { foreignId } from "../input/fields.ts";
import type { Partition } from "../rules/records.ts";
import {
  entriesOf,
  matchesFilter,
  type NumberedBlock,
  type RequestFilter,
} from "../rules/request-log/request-log.ts";
import type { IdempotencyOutcome, RequestEntry } from "../rules/request-log/request-log-entries.ts";
import type { AgeOrder } from "../storage/reads/listing-store.ts";
import { notFound, type OwnerContext } from "./context.ts";
import { ageOrder, listFields, present, readListing } from "./listing.ts";

// `Object.keys` loses the type of the names.
const errorCodes = Object.keys(publicErrors) as PublicErrorCode[];

const RequestListInput = z.strictObject({
  ...listFields,
  code: z.enum(errorCodes).nullish(),
  status: z.int().min(200).max(599).nullish(),
  /**
   * The method and the path below the base path, such as `POST
   * /checkout/sessions`.
   */
  route: z.enum(Object.values(paths)).nullish(),
});
/** Selects the requests of a list. A filter that is left out, or null, lists all. */
export interface RequestListInput extends z.input<typeof RequestListInput> {}

const RequestRef = z.strictObject({ store_id: foreignId, id: foreignId });
/** Names one request of a store, in either mode. */
export interface RequestRef extends z.input<typeof RequestRef> {}

/** A request to the API, as its log keeps it. */
export interface OwnerRequest extends Partition {
  /** The id begins with `req_`. The answer has it as `request_id` and `X-Request-Id`. */
  readonly id: string;
  /** The time at which the request came in, in ISO 8601, in UTC. */
  readonly created_at: string;
  readonly key_id: string;
  /**
   * The route, such as `POST /checkout/sessions`. It is null when the request
   * was refused before its route.
   */
  readonly route: string | null;
  readonly status: number;
  /** The code of the error. It is null when the answer is not an error. */
  readonly code: PublicErrorCode | null;
  /**
   * The parameter that the error names. `<unknown>` stands for a name that
   * the API does not have.
   */
  readonly param: string | null;
  /** The text that tells how to solve the error. Null when the message of the error is enough. */
  readonly remedy: string | null;
  readonly duration_ms: number;
  /** What the Idempotency-Key did. Null when the request has none. */
  readonly idempotency: IdempotencyOutcome | null;
  /**
   * The id of the first request with the same Idempotency-Key, for a replay
   * or a 409.
   */
  readonly earlier_request_id: string | null;
  /** The paths at which the body differs from the first one's, for `idempotency_key_reuse`. */
  readonly different_paths: readonly string[];
  /**
   * The number of calls beyond a limit, with status 429, for which this row stands: the log keeps
   * one such row of a key a minute. Null for all other requests.
   */
  readonly limited_calls: number | null;
  /** The client's network, such as `203.0.113.0/24` or `2001:db8:1::/48`. */
  readonly network: string | null;
  /**
   * The structure of the body. It has the API's own fields, with types such
   * as `<string>` in place of values. It is null when none is kept.
   */
  readonly body: unknown;
}

/** Reads the request log of a store (docs/contract/operation.md#request-log). */
export interface OwnerRequests {
  /**
   * Lists what happened to the requests of a store and mode, in the order of the log, the newest
   * first. `sort: "oldest"` reverses the list. It is empty without the option `requestLog`. Throws
   * `parameter_invalid` for a wrong filter, and `invalid_cursor` for a cursor from a list with
   * other filters.
   */
  list(input: RequestListInput): Promise<Page<OwnerRequest>>;
  /**
   * Reads a request. Throws `resource_not_found` for one of another store, and for
   * one that is not kept.
   */
  retrieve(request: RequestRef): Promise<OwnerRequest>;
}

export const createRequests = (ctx: OwnerContext): OwnerRequests => ({
  async list(input) {
    const query = check(RequestListInput, input);
    const { store_id, livemode, code, status, route } = query;
    const filter = present({ code, status, route });
    await ctx.flushRequestLog();

    return readListing(ctx, query, {
      name: "requests",
      read: (after, limit) =>
        readMatching(ctx, { store_id, livemode, ...ageOrder(query) }, { filter, after, limit }),
      placeOf: ({ block, index }) => ({ position: block.number, id: String(index) }),
      render: ({ block, entry }) => render(block, entry),
    });
  },

  async retrieve(request) {
    const { store_id, id } = check(RequestRef, request);
    await ctx.flushRequestLog();

    const now = ctx.now();
    for (const block of await ctx.storage.requests.findBlocks({ store_id, id, now })) {
      const entry = entriesOf(block).find((each) => each.id === id);
      if (entry) return render(block, entry);
    }
    return notFound(ctx, store_id);
  },
});

/** A request with its place in the log. */
interface PlacedEntry {
  readonly block: NumberedBlock;
  readonly index: number;
  readonly entry: RequestEntry;
}

/** The number of blocks of one read. A block has at most 64 KiB. */
const blocksPerRead = 50;

interface RequestPage {
  readonly filter: RequestFilter;
  readonly after: CursorPlace | null;
  readonly limit: number;
}

async function readMatching(
  { storage, now }: OwnerContext,
  list: Partition & AgeOrder,
  { filter, after, limit }: RequestPage,
): Promise<readonly PlacedEntry[]> {
  const found: PlacedEntry[] = [];
  const sign = list.oldest_first ? 1 : -1;
  // The block of the last row that the caller has seen may hold more rows.
  let before = after ? after.position - sign : null;
  for (;;) {
    const query = { ...list, before, limit: blocksPerRead, now: now() };
    const blocks = await storage.requests.listBlocks(query);
    for (const block of blocks) {
      const placed = entriesOf(block).map((entry, index) => ({ block, index, entry }));
      for (const each of sign < 0 ? placed.reverse() : placed)
        if (isBehind(each, after, sign) && matchesFilter(each.entry, filter)) found.push(each);
    }

    const last = blocks.at(-1);
    if (!last || blocks.length < blocksPerRead || found.length >= limit)
      return found.slice(0, limit);
    before = last.number;
  }
}

/** Tells whether an entry comes later in the list. Every block is one of those from `after` on. */
const isBehind = (
  { block, index }: PlacedEntry,
  after: CursorPlace | null,
  sign: number,
): boolean =>
  after === null || block.number !== after.position || sign * (index - Number(after.id)) > 0;

const render = ({ store_id, livemode }: Partition, entry: RequestEntry): OwnerRequest => ({
  store_id,
  livemode,
  id: entry.id,
  created_at: iso(entry.created_at),
  key_id: entry.key_id,
  route: entry.route ?? null,
  status: entry.status,
  code: entry.code ?? null,
  param: entry.param ?? null,
  remedy: (entry.code && remedies[entry.code]) ?? null,
  duration_ms: entry.duration_ms,
  idempotency: entry.idempotency ?? null,
  earlier_request_id: entry.earlier_request_id ?? null,
  different_paths: entry.different_paths ?? [],
  limited_calls: entry.limited_calls ?? null,
  network: entry.network ?? null,
  body: entry.body === undefined ? null : JSON.parse(entry.body),
});

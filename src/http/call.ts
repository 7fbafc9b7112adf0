import type { PublicErrorCode } from "../contract/errors.ts";
import type { Caller } from "../operations/caller.ts";
import type { Buyer } from "../rules/buyer.ts";
import type { AccessRecord } from "../rules/records.ts";
import type { Match, Target } from "./router.ts";
import type { WireRequest } from "./wire.ts";

/** What is known of a request so far; the steps of `serve` fill it in file order. */
export interface Call {
  readonly request_id: string;
  readonly request: WireRequest;
  readonly target: Target;
  readonly query: QueryPart;
  livemode: boolean;
  /** Null until the `key` parameter names a store where the origin is registered. */
  cors: Record<string, string> | null;
  access: AccessRecord | null;
  match: Match | null;
  buyer: Buyer | null;
  /** Set when the answer is an error. */
  error_code: PublicErrorCode | null;
  /** Headers every later answer carries: the state of the rate limit. */
  readonly headers: Record<string, string>;
}

export interface QueryPart {
  /** First value of each name but `key`. */
  readonly values: Readonly<Record<string, string>>;
  /** All values of `key`. */
  readonly keys: readonly string[];
  /** A name given twice, or one with `[`. */
  readonly refused: string | null;
}

const nothing: QueryPart = { values: {}, keys: [], refused: null };

export function readQuery(query: string): QueryPart {
  if (query === "") return nothing;
  // Without a prototype: `__proto__` is a name like any other.
  const values: Record<string, string> = Object.create(null);
  const keys: string[] = [];
  let refused: string | null = null;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === "key") keys.push(value);
    else if (name in values || name.includes("[")) refused ??= name.slice(0, 100);
    else values[name] = value;
  }
  return { values, keys, refused };
}

/** The authenticated call as operations know it. */
export const callerOf = (call: Call): Caller => ({ access: admitted(call), buyer: call.buyer });

export function admitted(call: Call): AccessRecord {
  if (!call.access) throw new Error("The call has not been authenticated.");
  return call.access;
}

import type { Route } from "../../contract/route.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { partitionOf } from "../../operations/caller.ts";
import type { IdempotentOperation } from "../../operations/operation.ts";
import type { KeyScope } from "../../rules/checkout/checkout-records.ts";
import type { HttpContext } from "../context.ts";
import { accessOf, callerOf, type RequestState, sentBy } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import { type Attempt, refuseKey, runAttempt } from "./attempt.ts";
import { readIdempotencyKey } from "./idempotency-key.ts";

type RunOnce = (
  state: RequestState,
  operation: IdempotentOperation,
  route: Route,
  body: unknown,
) => Promise<WireReply>;

/** Says how the requests of each operation are run under a key. */
const runs: Readonly<
  Record<IdempotentOperation, (attempt: Attempt, body: unknown) => Promise<WireReply>>
> = {
  createCheckoutSession: runAttempt,
  // A change brings the rules of orders with it, which are loaded when they are needed.
  updateCheckoutSession: async (attempt, body) =>
    (await import("./change.ts")).runChange(attempt, body),
};

/** Runs a request under its Idempotency-Key, once for each key. */
export function createIdempotency(ctx: HttpContext): RunOnce {
  /** The requests that this process is answering, by their keys. */
  const running = new Map<string, RunningRequest>();

  return async function runOnce(state, operation, route, body) {
    const scope: KeyScope = {
      key_kind: accessOf(state).key.kind,
      operation,
      idempotency_key: readIdempotencyKey(state),
      ...partitionOf(callerOf(state)),
    };
    const fingerprint = await fingerprintOf(state, operation, body);

    // Requests of this process see each other without the storage. Those of other
    // processes are seen by the storage's lock.
    const name = nameOf(scope);
    const other = running.get(name);
    if (other) {
      const isSame = other.fingerprint === fingerprint;
      state.earlier = {
        request_id: other.state.request_id,
        sent: isSame ? null : sentBy(other.state),
      };
      return refuseKey(isSame ? "in_progress" : "different_body");
    }

    running.set(name, { fingerprint, state });
    try {
      const now = ctx.now();
      const attempt = { ctx, state, route, scope, fingerprint, now };
      return await runs[operation](attempt, body);
    } finally {
      running.delete(name);
    }
  };
}

interface RunningRequest {
  readonly fingerprint: string;
  readonly state: RequestState;
}

const fingerprintOf = (
  { buyer, match }: RequestState,
  operation: IdempotentOperation,
  body: unknown,
): string | Promise<string> => {
  const target = [operation, ...Object.values(match?.params ?? {})].join("/");
  return sha256(`${target}\n${buyer?.customer_id ?? ""}\n${canonicalJson(body)}`);
};

const nameOf = ({ store_id, livemode, key_kind, operation, idempotency_key }: KeyScope): string =>
  `${store_id}\n${livemode}\n${key_kind}\n${operation}\n${idempotency_key}`;

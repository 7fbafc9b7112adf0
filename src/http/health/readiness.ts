import type { StorageReadiness, WriteRefusal } from "../../storage/reads/gauges-store.ts";
import type { HttpContext } from "../context.ts";
import type { RequestState } from "../request-state.ts";
import type { WireReply } from "../wire.ts";
import { createProbe } from "./probe.ts";
import { readyPath } from "./probe-paths.ts";

/**
 * The clocks may differ by this much. Leases last 30 seconds and longer, so that a
 * smaller difference breaks none.
 */
const mostSkewMs = 5_000;

/** What the storage says of itself. */
interface Facts {
  readonly storage: StorageReadiness;
  /**
   * Milliseconds by which this process's clock is ahead of the database's. Null when
   * the database has no clock.
   */
  readonly skew_ms: number | null;
}

/**
 * Answers `GET {basePath}/readyz` when the host asked for it: 200 when this process
 * can serve requests, else 503. Gives null for any other request.
 */
export function createReadiness(
  ctx: HttpContext,
): (state: RequestState) => Promise<WireReply> | null {
  const ask = createProbe(ctx, "readyz", () => askStorage(ctx));

  return (state) => {
    if (!ctx.readyz || state.target.path !== readyPath) return null;
    // The storage is about to be closed, and is not asked any more.
    if (ctx.isClosing()) return Promise.resolve(readyReply(state, { status: "draining" }));

    return ask().then((facts) => readyReply(state, judge(facts)));
  };
}

async function askStorage(ctx: HttpContext): Promise<Facts> {
  const sent = ctx.now();
  const storage = await ctx.storage.gauges.readiness();
  const middle = (sent + ctx.now()) / 2;
  const skew_ms = storage.clock === null ? null : Math.round(middle - storage.clock);
  return { storage, skew_ms };
}

/** Each is why a process gets no requests now. */
type Reason =
  | "storage_unavailable"
  | "not_distributed"
  | "distributed"
  | "migration_pending"
  | "clock_skewed"
  | "cannot_write";

interface ReadyBody {
  readonly status: "ready" | "unready" | "draining";
  /** Absent where the process is ready or draining. */
  readonly reasons?: readonly Reason[];
  readonly storage?: "ok" | "unavailable";
  readonly schema?: (StorageReadiness["schema"] & { readonly ok: boolean }) | null;
  readonly clock?: { readonly skew_ms: number; readonly ok: boolean } | null;
  readonly writes?: { readonly ok: boolean; readonly refusal: WriteRefusal | null };
}

function judge(facts: Facts | null): ReadyBody {
  if (!facts)
    return { status: "unready", reasons: ["storage_unavailable"], storage: "unavailable" };

  const { storage, skew_ms } = facts;
  if (storage.misplaced) return { status: "unready", reasons: [storage.misplaced], storage: "ok" };

  // A newer schema is right too: during a deployment the version before runs on it.
  const schema = storage.schema && {
    ...storage.schema,
    ok: storage.schema.found >= storage.schema.known,
  };
  const clock = skew_ms === null ? null : { skew_ms, ok: Math.abs(skew_ms) <= mostSkewMs };
  const refusal = storage.write_refusal;
  const writes = { ok: refusal === null, refusal };

  const reasons: Reason[] = [];
  if (schema?.ok === false) reasons.push("migration_pending");
  if (clock?.ok === false) reasons.push("clock_skewed");
  if (!writes.ok) reasons.push("cannot_write");

  const body = { storage: "ok", schema, clock, writes } as const;
  return reasons.length === 0
    ? { status: "ready", ...body }
    : { status: "unready", reasons, ...body };
}

function readyReply(state: RequestState, body: ReadyBody): WireReply {
  const ready = body.status === "ready";
  return {
    status: ready ? 200 : 503,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
      "x-request-id": state.request_id,
      ...(ready ? {} : { "retry-after": "1" }),
    },
    body: state.request.method === "HEAD" ? null : JSON.stringify(body),
  };
}

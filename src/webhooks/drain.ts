import { fail } from "../contract/errors.ts";
import type { KeyRing } from "../domain/key-ring.ts";
import type { ClaimedDelivery, Settlement, WebhookStore } from "../storage/webhook-store.ts";
import { nextDue } from "./schedule.ts";
import { signWebhook } from "./signature.ts";
import type { WebhookTransport } from "./transport.ts";

export interface DrainOptions {
  /** Stops claiming, gives back what has not started and lets running sends end. */
  readonly signal?: AbortSignal;
  /** 25,000 by default; at least `timeoutMs` + 2,000. */
  readonly maxDurationMs?: number;
  readonly maxDeliveries?: number;
  /** Open requests of this drain; 64 by default. */
  readonly concurrency?: number;
  /** Open requests towards one endpoint; 4 by default. */
  readonly perEndpointConcurrency?: number;
  /** One attempt, from before DNS to the answer's headers; 15,000 by default (SPEC 6.4). */
  readonly timeoutMs?: number;
}

export interface DrainReport {
  readonly attempted: number;
  readonly delivered: number;
  readonly rescheduled: number;
  readonly exhausted: number;
  /** Failures whose lease another worker had taken over. */
  readonly lease_lost: number;
  /** Claimed and given back unsent. */
  readonly released: number;
  readonly endpoints_disabled: number;
  /** There is more to send right now. */
  readonly more: boolean;
  /** ISO 8601 UTC of the earliest retry; null when nothing waits. */
  readonly next_due_at: string | null;
  readonly stopped_by: "idle" | "budget" | "limit" | "aborted";
  readonly duration_ms: number;
}

export interface DrainContext {
  readonly store: WebhookStore;
  readonly transport: WebhookTransport;
  readonly keyRing: KeyRing;
  readonly scheduleMs: readonly number[];
  readonly leaseMs: number;
  now(): number;
  newToken(): string;
  onError(error: unknown, where: string): void;
}

const settleEveryMs = 100;
const settleBatch = 32;
const maxClaim = 100;

/** Claims, signs, sends and settles until nothing is due, the budget is spent or the host aborts (CONTRACT 7). */
export async function drain(ctx: DrainContext, options: DrainOptions = {}): Promise<DrainReport> {
  const {
    signal,
    maxDurationMs = 25_000,
    maxDeliveries = Number.POSITIVE_INFINITY,
    concurrency = 64,
    perEndpointConcurrency = 4,
    timeoutMs = 15_000,
  } = options;
  checkOptions(ctx, { maxDurationMs, maxDeliveries, concurrency, perEndpointConcurrency, timeoutMs });

  const started = ctx.now();
  const count = { attempted: 0, delivered: 0, rescheduled: 0, exhausted: 0, lease_lost: 0, released: 0 };
  const token = ctx.newToken();
  const open = new Map<string, number>(); // open requests by endpoint
  const waiting: Leased[] = [];
  const running = new Set<Promise<void>>();
  const settling = createSettling(ctx, count);
  let after: string | null = null;
  let drained = false;
  let stopped: DrainReport["stopped_by"] | null = null;

  const stopReason = (): DrainReport["stopped_by"] | null => {
    if (signal?.aborted) return "aborted";
    if (ctx.now() - started > maxDurationMs - timeoutMs - 1_000) return "budget";
    return count.attempted >= maxDeliveries ? "limit" : null;
  };
  const claim = async (): Promise<void> => {
    const now = ctx.now();
    const limit = Math.min(maxClaim, concurrency - running.size, maxDeliveries - count.attempted);
    const saturated = [...open].filter(([, number]) => number >= perEndpointConcurrency).map(([id]) => id);
    const claimed = await ctx.store.claimDeliveries({
      now,
      lease_until: now + ctx.leaseMs,
      lease_token: token,
      limit,
      per_endpoint: perEndpointConcurrency,
      saturated,
      after_endpoint: after,
    });
    after = claimed.at(-1)?.endpoint_id ?? after;
    drained = claimed.length === 0;
    for (const delivery of claimed) waiting.push({ delivery, until: now + ctx.leaseMs });
  };
  const start = ({ delivery }: Leased): void => {
    count.attempted += 1;
    open.set(delivery.endpoint_id, (open.get(delivery.endpoint_id) ?? 0) + 1);
    const sending = send(ctx, delivery, token, timeoutMs)
      .then((settlement) => settling.add(settlement))
      .catch((error: unknown) => ctx.onError(error, "webhooks")) // the lease ends by itself: nothing is lost
      .finally(() => {
        running.delete(sending);
        open.set(delivery.endpoint_id, (open.get(delivery.endpoint_id) ?? 1) - 1);
      });
    running.add(sending);
  };
  const giveBack = async (unstarted: readonly Leased[]): Promise<void> => {
    if (unstarted.length === 0) return;
    count.released += unstarted.length;
    await ctx.store.releaseDeliveries(
      unstarted.map(({ delivery }) => delivery),
      token,
      ctx.now(),
    );
  };

  try {
    for (;;) {
      stopped = stopReason();
      if (stopped) break;
      if (waiting.length === 0 && running.size < concurrency) await claim();
      stopped = stopReason();
      if (stopped) break;
      const ready = takeReady(waiting, open, perEndpointConcurrency, concurrency - running.size);
      // A lease too short for a whole attempt and its settling goes back.
      const stale = ready.filter(({ until }) => until - ctx.now() < timeoutMs + 15_000);
      await giveBack(stale);
      for (const leased of ready) if (!stale.includes(leased)) start(leased);
      if (running.size > 0) await Promise.race(running);
      else if (drained && waiting.length === 0) {
        await settling.flush();
        stopped = "idle";
        break;
      }
    }
  } finally {
    await giveBack(waiting);
    await Promise.all(running);
    await settling.flush();
  }
  const next = await ctx.store.nextDue();
  const now = ctx.now();
  return {
    ...count,
    endpoints_disabled: 0,
    more: next !== null && next <= now,
    next_due_at: next === null ? null : new Date(next).toISOString(),
    stopped_by: stopped ?? "idle",
    duration_ms: now - started,
  };
}

interface Leased {
  readonly delivery: ClaimedDelivery;
  readonly until: number;
}

/** Those that may start now, in order: a full endpoint's wait for a slot. */
function takeReady(waiting: Leased[], open: ReadonlyMap<string, number>, perEndpoint: number, slots: number): Leased[] {
  const ready: Leased[] = [];
  const taken = new Map(open);
  for (let at = 0; at < waiting.length && ready.length < slots; ) {
    const leased = waiting[at];
    const used = leased ? (taken.get(leased.delivery.endpoint_id) ?? 0) : perEndpoint;
    if (!leased || used >= perEndpoint) {
      at += 1;
      continue;
    }
    taken.set(leased.delivery.endpoint_id, used + 1);
    ready.push(leased);
    waiting.splice(at, 1);
  }
  return ready;
}

/** Every attempt is signed anew, with the secrets then live and `t` = its start. */
async function send(ctx: DrainContext, delivery: ClaimedDelivery, lease_token: string, timeoutMs: number): Promise<Settlement> {
  const started_at = ctx.now();
  const attempt = delivery.attempts + 1;
  const live = delivery.secrets.filter((secret) => secret.expires_at === null || secret.expires_at > started_at);
  const secrets = await Promise.all(live.map((secret) => ctx.keyRing.unseal(secret.sealed, delivery.endpoint_id)));
  const signature = await signWebhook({ rawBody: delivery.body, secret: secrets, timestamp: Math.floor(started_at / 1000) });
  // The host's signal is not handed on: an abort lets sends end, so that no attempt is used up without an outcome.
  const sent = await ctx.transport.send({
    url: delivery.url,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "vitrine-webhooks/1",
      "X-Service-Signature": signature,
      "X-Service-Event-Id": delivery.event_id,
      "X-Service-Event-Type": delivery.event_type,
      "X-Service-Attempt": String(attempt),
    },
    body: delivery.body,
    timeoutMs,
  });
  return {
    store_id: delivery.store_id,
    endpoint_id: delivery.endpoint_id,
    event_id: delivery.event_id,
    lease_token,
    delivered: sent.ok,
    due_at: sent.ok ? null : nextDue(ctx.scheduleMs, attempt, ctx.now()),
    log: {
      store_id: delivery.store_id,
      endpoint_id: delivery.endpoint_id,
      event_id: delivery.event_id,
      attempt,
      started_at,
      duration_ms: sent.duration_ms,
      status: sent.status,
      error: sent.error,
      snippet: sent.snippet,
    },
  };
}

type Count = Record<"delivered" | "rescheduled" | "exhausted" | "lease_lost", number>;

/** Results settle together, every 100 ms or 32: one by one costs ten times as much. */
function createSettling(ctx: DrainContext, count: Count) {
  let batch: Settlement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (settlements: readonly Settlement[]): Promise<void> => {
    const outcomes = await ctx.store.settleDeliveries(settlements, ctx.now());
    for (const outcome of outcomes) count[outcome] += 1;
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const ready = batch;
    batch = [];
    if (ready.length > 0) writing = writing.then(() => write(ready)).catch((error: unknown) => ctx.onError(error, "webhooks"));
    return writing;
  };
  return {
    flush,
    async add(settlement: Settlement): Promise<void> {
      batch.push(settlement);
      if (batch.length >= settleBatch) await flush();
      else timer ??= setTimeout(() => void flush(), settleEveryMs);
    },
  };
}

function checkOptions(
  ctx: DrainContext,
  options: Record<"maxDurationMs" | "maxDeliveries" | "concurrency" | "perEndpointConcurrency" | "timeoutMs", number>,
): void {
  for (const [name, value] of Object.entries(options)) {
    if (!(value >= 1)) fail("invalid_option", { param: name, message: `Option ${name} must be a number from 1.` });
  }
  if (options.maxDurationMs < options.timeoutMs + 2_000) {
    fail("invalid_option", {
      param: "maxDurationMs",
      message: "Option maxDurationMs must be at least timeoutMs + 2000: no send could start and be settled in it.",
    });
  }
  if (ctx.leaseMs < options.timeoutMs + 15_000) {
    fail("invalid_option", {
      param: "webhooks.leaseMs",
      message: "Option webhooks.leaseMs must be at least timeoutMs + 15000, or leases would end before their sends.",
    });
  }
}

import type { KeyRing } from "../domain/key-ring.ts";
import { nextDue } from "../rules/schedule.ts";
import type { ClaimedDelivery, Settlement } from "../rules/webhook-records.ts";
import type { WebhookStore } from "../storage/webhook-store.ts";
import {
  type DrainOptions,
  type DrainSettings,
  readDrainOptions,
  settleMarginMs,
} from "./drain-options.ts";
import { createLanes, type Leased } from "./lanes.ts";
import { deliverNotices, type NoticeContext } from "./notices.ts";
import { createSend } from "./send.ts";
import { createSettling } from "./settling.ts";
import type { Sent, WebhookTransport } from "./transport.ts";

export type { DrainOptions } from "./drain-options.ts";

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
  /** ISO 8601 UTC of the earliest next try, or lease end, of any enabled endpoint; null when nothing waits. */
  readonly next_due_at: string | null;
  readonly stopped_by: "idle" | "budget" | "limit" | "aborted";
  readonly duration_ms: number;
}

export interface DrainContext extends NoticeContext {
  readonly store: WebhookStore;
  readonly transport: WebhookTransport;
  readonly keyRing: KeyRing;
  readonly scheduleMs: readonly number[];
  readonly leaseMs: number;
  /** Calls back when an endpoint was changed in this process; returns how to stop listening. */
  onEndpointChange(giveBack: (endpoint_id: string) => void): () => void;
  newToken(): string;
  newAlertId(): string;
}

/** Leases that ended without an outcome before a delivery is charged with an attempt: its sending may be what ends workers. */
const maxLostLeases = 5;
const pollMs = 250;
const minPrefetch = 200;
/** Sends that end one after another before it is asked again whether to claim, as long as each is followed by another. */
const endsPerLook = 16;
const noticeMs = 5_000;
const maxSnippet = 1_024;

/** Claims, signs, sends and settles until nothing is due, the budget is spent or the host aborts (CONTRACT 7). */
export async function drain(ctx: DrainContext, options: DrainOptions = {}): Promise<DrainReport> {
  const settings = readDrainOptions(options, ctx.leaseMs);
  const run = createRun(ctx, settings);
  settings.signal?.addEventListener("abort", run.wake);
  const stop = ctx.onEndpointChange(run.forget);
  let outlook: Outlook | null;
  try {
    outlook = await run.untilStopped();
  } finally {
    settings.signal?.removeEventListener("abort", run.wake);
    stop();
    await run.end();
  }
  return run.report(outlook);
}

type Stop = DrainReport["stopped_by"];
type Outlook = Awaited<ReturnType<WebhookStore["outlook"]>>;

function createRun(ctx: DrainContext, settings: DrainSettings) {
  const { concurrency, maxDeliveries, maxDurationMs, perEndpointConcurrency, signal, timeoutMs } =
    settings;
  const started = ctx.now();
  const count = {
    attempted: 0,
    delivered: 0,
    rescheduled: 0,
    exhausted: 0,
    lease_lost: 0,
    released: 0,
    endpoints_disabled: 0,
  };
  const lanes = createLanes(perEndpointConcurrency, ctx.now);
  const send = createSend(ctx);
  const settling = createSettling(ctx, (outcomes, disabled) => {
    for (const outcome of outcomes) count[outcome] += 1;
    count.endpoints_disabled += disabled.length;
    for (const id of disabled) forget(id);
  });
  const prefetch = Math.max(minPrefetch, concurrency * 4);
  // A lease as short as can be still leaves a second to start in.
  const startWithinMs = Math.max(1_000, ctx.leaseMs - timeoutMs - settleMarginMs);
  const running = new Set<Promise<void>>();
  const changed = new Set<string>(); // endpoints, while a claim is under way
  const claims = {
    after: null as string | null,
    complete: false,
    limited: [] as string[],
    at: 0,
    last: 0,
  };
  let stopped: Stop | null = null;
  let ends = 0;
  let wake = (): void => {};

  // A clock that is set back does not lengthen the budget.
  let [seen, setBack] = [started, 0];
  const elapsed = (): number => {
    const now = ctx.now();
    setBack += Math.max(0, seen - now);
    seen = now;
    return now + setBack - started;
  };
  const stopReason = (): Stop | null => {
    if (signal?.aborted) return "aborted";
    if (elapsed() > maxDurationMs - timeoutMs - 1_000) return "budget";
    return count.attempted >= maxDeliveries ? "limit" : null;
  };
  const refill = (): void => {
    while (running.size < concurrency && !settling.isBehind()) {
      stopped ??= stopReason();
      const leased = stopped ? undefined : lanes.next();
      if (!leased) return;
      if (leased.start_by < ctx.now()) {
        lanes.ended(leased.delivery.endpoint_id, "unsent");
        giveBack([leased]);
      } else start(leased);
    }
  };
  const start = ({ delivery, token }: Leased): void => {
    count.attempted += 1;
    let how: "delivered" | "failed" | "timeout" | "unsent" = "unsent";
    const sending = attempt(delivery, token)
      .then(({ settlement, timedOut }) => {
        how = settlement.delivered ? "delivered" : timedOut ? "timeout" : "failed";
        settling.add(settlement);
      })
      .catch((error: unknown) => ctx.onError(error, "webhooks")) // the lease ends by itself: nothing is lost
      .finally(() => {
        running.delete(sending);
        lanes.ended(delivery.endpoint_id, how);
        const sent = count.attempted;
        refill();
        ends += 1;
        if (count.attempted === sent || ends % endsPerLook === 0) wake();
      });
    running.add(sending);
  };
  const attempt = async (delivery: ClaimedDelivery, token: string) => {
    const started_at = ctx.now();
    const sent =
      delivery.lost_leases >= maxLostLeases
        ? workerLost
        : await send(delivery, delivery.attempts + 1, started_at, timeoutMs);
    return {
      settlement: settlementOf(ctx, delivery, token, started_at, sent),
      timedOut: sent.error === "timeout",
    };
  };
  const release = async (unstarted: readonly Leased[]): Promise<void> => {
    count.released += unstarted.length;
    for (const token of new Set(unstarted.map((leased) => leased.token))) {
      const keys = unstarted
        .filter((leased) => leased.token === token)
        .map(({ delivery }) => delivery);
      await ctx.store
        .releaseDeliveries(keys, token, ctx.now())
        .catch((error: unknown) => ctx.onError(error, "webhooks"));
    }
  };

  let giving = Promise.resolve();
  const giveBack = (unstarted: readonly Leased[]): void => {
    if (unstarted.length === 0) return;
    claims.complete = false; // due again
    giving = Promise.all([giving, release(unstarted)]).then(() => {});
  };
  /** What is leased of a changed endpoint would go to its old address, by its old secret, or though it is disabled. */
  const forget = (endpoint_id: string): void => {
    changed.add(endpoint_id);
    claims.complete = false;
    giveBack(lanes.giveBackOf(endpoint_id));
  };
  const wanted = (): number =>
    Math.min(prefetch - lanes.startable(), maxDeliveries - count.attempted - lanes.waiting);
  const worthClaiming = (): boolean => {
    if (wanted() < Math.min(prefetch / 2, maxDeliveries - count.attempted) || settling.isBehind())
      return false;
    return (
      !claims.complete ||
      claims.limited.some((id) => lanes.hasRoom(id)) ||
      performance.now() - claims.at > pollMs
    );
  };
  const claim = async (): Promise<void> => {
    await giving; // or it would miss what is on its way back
    changed.clear();
    const now = ctx.now();
    const token = ctx.newToken();
    const rooms = lanes.rooms();
    const claimed = await ctx.store.claimDeliveries({
      now,
      lease_until: now + ctx.leaseMs,
      lease_token: token,
      limit: wanted(),
      per_endpoint: perEndpointConcurrency,
      rooms,
      after_endpoint: claims.after,
    });
    const got = new Map<string, number>();
    const stale: Leased[] = [];
    for (const delivery of claimed.deliveries) {
      got.set(delivery.endpoint_id, (got.get(delivery.endpoint_id) ?? 0) + 1);
      const leased = { delivery, token, start_by: now + startWithinMs };
      if (changed.has(delivery.endpoint_id)) stale.push(leased);
      else lanes.add(leased);
    }
    await release(stale);
    const full = [...got]
      .filter(([id, number]) => number >= (rooms[id] ?? perEndpointConcurrency))
      .map(([id]) => id);
    claims.limited = [...full, ...Object.keys(rooms).filter((id) => rooms[id] === 0)];
    claims.after = claimed.after_endpoint;
    claims.complete = claimed.complete && changed.size === 0;
    claims.last = claimed.deliveries.length + changed.size;
    claims.at = performance.now();
  };
  /** A send ended, the host aborted, or it is time to look for new work beside sends that take long. */
  const somethingHappened = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => wake(), pollMs);
      wake = () => {
        clearTimeout(timer);
        wake = () => {};
        resolve();
      };
    });

  return {
    wake: () => wake(),
    forget,
    /** What lies ahead, where that is why it stopped. */
    async untilStopped(): Promise<Outlook | null> {
      for (;;) {
        stopped ??= stopReason();
        if (stopped) return null;
        giveBack(lanes.giveBack(ctx.now()));
        if (worthClaiming()) {
          await claim();
          refill();
        } else if (running.size > 0) await somethingHappened();
        else {
          await settling.end();
          await giving;
          if (lanes.waiting > 0) {
            refill();
            continue;
          }
          if (!claims.complete && worthClaiming()) continue;
          const outlook = await ctx.store.outlook(ctx.now());
          // Due, yet the last look at everything found nothing: another worker has it in hand.
          if (outlook.next_due === null || outlook.next_due > ctx.now() || claims.last === 0) {
            stopped = "idle";
            return outlook;
          }
          claims.complete = false;
        }
      }
    },
    async end(): Promise<void> {
      stopped ??= "aborted";
      await release(lanes.giveBack(null));
      await Promise.all(running);
      await giving;
      await settling.end();
    },
    async report(known: Outlook | null): Promise<DrainReport> {
      const outlook = known ?? (await ctx.store.outlook(ctx.now()));
      if (outlook.notices)
        await deliverNotices(ctx, Math.min(noticeMs, Math.max(250, maxDurationMs - elapsed())));
      const duration_ms = elapsed();
      const now = ctx.now();
      return {
        ...count,
        more:
          outlook.next_due !== null &&
          outlook.next_due <= now &&
          !(stopped === "idle" && claims.last === 0),
        next_due_at: outlook.next_due === null ? null : new Date(outlook.next_due).toISOString(),
        stopped_by: stopped ?? "idle",
        duration_ms,
      };
    },
  };
}

const workerLost = {
  ok: false,
  status: null,
  error: "worker_lost",
  snippet: null,
  duration_ms: 0,
} as const;

function settlementOf(
  ctx: DrainContext,
  delivery: ClaimedDelivery,
  lease_token: string,
  started_at: number,
  sent: Omit<Sent, "error"> & { readonly error: string | null },
): Settlement {
  return {
    store_id: delivery.store_id,
    endpoint_id: delivery.endpoint_id,
    event_id: delivery.event_id,
    lease_token,
    delivered: sent.ok,
    due_at: sent.ok ? null : nextDue(ctx.scheduleMs, delivery.failures + 1, ctx.now()),
    alert_id: sent.ok ? "" : ctx.newAlertId(),
    log: { started_at, ...storable(sent) },
  };
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A host's transport may answer anything: a text or a number that a database refuses must not cost the outcome. */
function storable({ status, error, snippet, duration_ms }: Parameters<typeof settlementOf>[4]) {
  const whole = (value: number): number =>
    Number.isFinite(value) ? Math.round(Math.min(Math.max(value, 0), 2 ** 31 - 1)) : 0;
  // By way of bytes: half of a surrogate pair is no text.
  const plain = (text: string): string =>
    decoder.decode(encoder.encode(text)).replaceAll("\u0000", "\ufffd");
  return {
    duration_ms: whole(duration_ms),
    status: typeof status === "number" ? whole(status) : null,
    error: error === null || error === undefined ? null : plain(String(error)).slice(0, 100),
    snippet: typeof snippet === "string" ? plain(snippet.slice(0, maxSnippet)) : null,
  };
}

import { sleep } from "../../domain/async/sleep.ts";
import type { Settled, Settlement } from "../../rules/webhooks/webhook-records.ts";
import { type SkipContext, skipAll } from "./skip.ts";

export interface SettlementContext extends SkipContext {
  onError(error: unknown, where: string): void;
}

const everyMs = 100;
const batchSize = 32;
const maxBatchSize = 256;
const maxBacklog = 512;
const maxTries = 3;
const retryMs = 500;

export type SettlementBatches = ReturnType<typeof createSettlementBatches>;

/**
 * Writes outcomes together, every 100 ms or 32 of them, because writing them one by
 * one costs ten times as much. While one batch is written, the next one grows.
 */
export function createSettlementBatches(
  ctx: SettlementContext,
  onSettled: (settled: Settled) => void,
) {
  let backlog: Settlement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | null = null;
  /** The repeated writes of outcomes that the storage could not write while it wrote the others. */
  const retries = new Set<Promise<void>>();

  async function writeBacklog(): Promise<void> {
    while (backlog.length > 0) {
      const batch = backlog.slice(0, maxBatchSize);
      backlog = backlog.slice(maxBatchSize);
      const unwritten = await settle(ctx, batch, { onSettled, isRetry: false });
      if (unwritten.length > 0) retryLater(unwritten);
    }
  }

  /** Writes the outcomes later. The next batches do not wait for it. */
  function retryLater(unwritten: readonly Settlement[]): void {
    const retry = settleAgain(ctx, unwritten, onSettled).finally(() => retries.delete(retry));
    retries.add(retry);
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing ??= writeBacklog().finally(() => {
      writing = null;
      if (backlog.length > 0) schedule();
    });
    return writing;
  }

  function schedule(): void {
    if (backlog.length >= batchSize) void flush();
    else timer ??= setTimeout(() => void flush(), everyMs);
  }

  return {
    add(settlement: Settlement): void {
      backlog.push(settlement);
      if (!writing) schedule();
    },
    /**
     * Says whether the storage is too slow: more sends would only let leases run
     * out.
     */
    isBehind: (): boolean => backlog.length >= maxBacklog,
    async writeAll(): Promise<void> {
      while (backlog.length > 0 || writing) await flush();
      await Promise.all(retries);
    },
  };
}

/**
 * Writes the outcomes. It gives those that the storage could not write while it
 * wrote the others.
 */
async function settle(
  ctx: SettlementContext,
  batch: readonly Settlement[],
  { onSettled, isRetry }: SettleCall,
): Promise<readonly Settlement[]> {
  const written = await writeOutcomes(ctx, batch);
  if (!written) return [];

  const { settled } = written;
  onSettled(settled);
  const unwritten = batch.filter((_, index) => settled.outcomes[index] === null);
  if (unwritten.length > 0) ctx.onError(settled.failure, "webhooks");

  try {
    const wasRepeated = isRetry || written.wasRepeated;
    const ids = wasRepeated ? await endedEndpoints(ctx, batch) : settled.disabled;
    for (const id of ids) {
      const settlement = batch.find(({ endpoint_id }) => endpoint_id === id);
      await skipAll(ctx, settlement?.store_id ?? "", id);
    }
  } catch (error) {
    // The outcomes are written. The remaining deliveries are skipped by claims, each one when it is
    // due.
    ctx.onError(error, "webhooks");
  }
  return unwritten;
}

interface SettleCall {
  readonly onSettled: (settled: Settled) => void;
  /** True means that these outcomes may have been written before, although the answer was lost. */
  readonly isRetry: boolean;
}

interface WrittenOutcomes {
  readonly settled: Settled;
  /** True means that an earlier try may have been written too, although its answer was lost. */
  readonly wasRepeated: boolean;
}

/** Writes the outcomes. It gives null when the storage has refused them in every try. */
async function writeOutcomes(
  ctx: SettlementContext,
  batch: readonly Settlement[],
): Promise<WrittenOutcomes | null> {
  for (let tries = 1; ; tries += 1) {
    try {
      const settled = await ctx.store.settleDeliveries(batch, ctx.now());
      return { settled, wasRepeated: tries > 1 };
    } catch (error) {
      ctx.onError(error, "webhooks");
      // After the last try the leases end by themselves and the events are sent
      // again. They come late and twice, and are never lost.
      if (tries >= maxTries) return null;

      await sleep(tries * retryMs);
    }
  }
}

/** Finds the endpoints of the batch that are disabled or deleted, no matter who did it. */
async function endedEndpoints(
  { store }: SettlementContext,
  batch: readonly Settlement[],
): Promise<readonly string[]> {
  const ids = [...new Set(batch.map(({ endpoint_id }) => endpoint_id))];
  const enabled = new Set((await store.findDestinations(ids)).map(({ id }) => id));
  return ids.filter((id) => !enabled.has(id));
}

/** Tries to write the outcomes again, as often and with the same pauses as after an error. */
async function settleAgain(
  ctx: SettlementContext,
  unwritten: readonly Settlement[],
  onSettled: (settled: Settled) => void,
): Promise<void> {
  let left = unwritten;
  for (let tries = 1; tries < maxTries && left.length > 0; tries += 1) {
    await sleep(tries * retryMs);
    left = await settle(ctx, left, { onSettled, isRetry: true });
  }
}

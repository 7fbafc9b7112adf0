import { sleep } from "../domain/sleep.ts";
import type { Settled, Settlement } from "../rules/webhook-records.ts";
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
 * Outcomes are written together, every 100 ms or 32 of them: one by one costs ten
 * times as much. While one batch is written, the next one grows.
 */
export function createSettlementBatches(
  ctx: SettlementContext,
  onSettled: (settled: Settled) => void,
) {
  let backlog: Settlement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | null = null;
  /** Outcomes that the storage could not write while it wrote the others. */
  const retries = new Set<Promise<void>>();

  async function writeBacklog(): Promise<void> {
    while (backlog.length > 0) {
      const batch = backlog.slice(0, maxBatchSize);
      backlog = backlog.slice(maxBatchSize);
      const unwritten = await settle(ctx, batch, onSettled);
      if (unwritten.length > 0) retryLater(unwritten);
    }
  }

  /** The next batches do not wait for it. */
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
    /** True when the storage does not keep up: more sends would only let leases run out. */
    isBehind: (): boolean => backlog.length >= maxBacklog,
    async writeAll(): Promise<void> {
      while (backlog.length > 0 || writing) await flush();
      await Promise.all(retries);
    },
  };
}

/** Gives the settlements that the storage could not write although it wrote others. */
async function settle(
  ctx: SettlementContext,
  batch: readonly Settlement[],
  onSettled: (settled: Settled) => void,
): Promise<readonly Settlement[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      const settled = await ctx.store.settleDeliveries(batch, ctx.now());
      onSettled(settled);

      for (const id of settled.disabled) {
        const failed = batch.find(({ endpoint_id }) => endpoint_id === id);
        await skipAll(ctx, failed?.store_id ?? "", id);
      }
      const unwritten = batch.filter((_, index) => settled.outcomes[index] === null);
      if (unwritten.length > 0) ctx.onError(settled.failure, "webhooks");
      return unwritten;
    } catch (error) {
      ctx.onError(error, "webhooks");
      // After the last try the leases end by themselves and the events are sent again: late and
      // twice, never lost.
      if (tries >= maxTries) return [];

      await sleep(tries * retryMs);
    }
  }
}

/** Tries as often, and as far apart, as after an error. */
async function settleAgain(
  ctx: SettlementContext,
  unwritten: readonly Settlement[],
  onSettled: (settled: Settled) => void,
): Promise<void> {
  let left = unwritten;
  for (let tries = 1; tries < maxTries && left.length > 0; tries += 1) {
    await sleep(tries * retryMs);
    left = await settle(ctx, left, onSettled);
  }
}

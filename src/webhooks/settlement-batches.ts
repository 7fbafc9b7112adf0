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

  async function writeBacklog(): Promise<void> {
    while (backlog.length > 0) {
      const batch = backlog.slice(0, maxBatchSize);
      backlog = backlog.slice(maxBatchSize);
      await settle(ctx, batch, onSettled);
    }
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
    },
  };
}

async function settle(
  ctx: SettlementContext,
  batch: readonly Settlement[],
  onSettled: (settled: Settled) => void,
): Promise<void> {
  const written = await writeOutcomes(ctx, batch);
  if (!written) return;

  onSettled(written.settled);
  try {
    const ids = written.wasRepeated ? await endedEndpoints(ctx, batch) : written.settled.disabled;
    for (const id of ids) {
      const settlement = batch.find(({ endpoint_id }) => endpoint_id === id);
      await skipAll(ctx, settlement?.store_id ?? "", id);
    }
  } catch (error) {
    // The outcomes are written. Claims skip the deliveries that are left, each when it is due.
    ctx.onError(error, "webhooks");
  }
}

interface WrittenOutcomes {
  readonly settled: Settled;
  /** True: a try before this one may have been written too, although its answer was lost. */
  readonly wasRepeated: boolean;
}

/** Null when the storage has refused the outcomes as often as they are tried. */
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
      // After the last try the leases end by themselves and the events are sent again: late and
      // twice, never lost.
      if (tries >= maxTries) return null;

      await sleep(tries * retryMs);
    }
  }
}

/** The endpoints of the batch that are disabled or deleted, whoever has done it. */
async function endedEndpoints(
  { store }: SettlementContext,
  batch: readonly Settlement[],
): Promise<readonly string[]> {
  const ids = [...new Set(batch.map(({ endpoint_id }) => endpoint_id))];
  const enabled = new Set((await store.findDestinations(ids)).map(({ id }) => id));
  return ids.filter((id) => !enabled.has(id));
}

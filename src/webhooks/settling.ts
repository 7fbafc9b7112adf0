import type { Settlement, SettleOutcome } from "../rules/webhook-records.ts";
import { type SkipContext, skipAll } from "./skip.ts";

export interface SettlingContext extends SkipContext {
  onError(error: unknown, where: string): void;
}

const everyMs = 100;
const batchSize = 32;
const maxBatch = 256;
const maxBacklog = 512;
const tries = 3;

/** Results are written together, every 100 ms or 32: one by one costs ten times as much. While one batch is written the next one grows. */
export function createSettling(
  ctx: SettlingContext,
  note: (outcomes: readonly SettleOutcome[], disabled: readonly string[]) => void,
) {
  let batch: Settlement[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let writing: Promise<void> | null = null;

  const write = async (): Promise<void> => {
    while (batch.length > 0) {
      const part = batch.slice(0, maxBatch);
      batch = batch.slice(maxBatch);
      await settle(part);
    }
  };
  const settle = async (settlements: readonly Settlement[]): Promise<void> => {
    for (let turn = 1; ; turn += 1) {
      try {
        const { outcomes, disabled } = await ctx.store.settleDeliveries(settlements, ctx.now());
        note(outcomes, disabled);
        for (const id of disabled)
          await skipAll(
            ctx,
            settlements.find(({ endpoint_id }) => endpoint_id === id)?.store_id ?? "",
            id,
          );
        return;
      } catch (error) {
        ctx.onError(error, "webhooks");
        // Given up, the leases end by themselves and the events are sent again: late and twice, never lost.
        if (turn >= tries) return;
        await new Promise((done) => setTimeout(done, turn * 500));
      }
    }
  };
  const flush = (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = null;
      if (batch.length > 0) schedule();
    });
    return writing;
  };
  const schedule = (): void => {
    if (batch.length >= batchSize) void flush();
    else timer ??= setTimeout(() => void flush(), everyMs);
  };

  return {
    add(settlement: Settlement): void {
      batch.push(settlement);
      if (!writing) schedule();
    },
    /** The storage does not keep up: starting more would only let leases run out. */
    isBehind: (): boolean => batch.length >= maxBacklog,
    async end(): Promise<void> {
      while (batch.length > 0 || writing) await flush();
    },
  };
}

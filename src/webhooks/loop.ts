import { sleep } from "../domain/async/sleep.ts";
import type { DrainOptions, DrainReport } from "./drain/drain.ts";

export const longestSleepMs = 5_000;
const shortestSleepMs = 50;

export interface LoopContext {
  now(): number;
  drain(options: DrainOptions): Promise<DrainReport>;
  /**
   * Calls `wake` at each local commit that may have made deliveries. Gives a
   * function that stops the listening.
   */
  onCommit(wake: () => void): () => void;
  onError(error: unknown, where: string): void;
}

/**
 * Drains, then sleeps until a delivery is due, a local commit may have made one, or
 * 5 s have passed. Repeats this until `signal` aborts. Resolves once the last drain
 * has ended.
 */
export async function runLoop(
  ctx: LoopContext,
  options: DrainOptions & { readonly signal: AbortSignal },
): Promise<void> {
  const { signal } = options;
  while (!signal.aborted) {
    const woken = new AbortController();
    const stopListening = ctx.onCommit(() => woken.abort());
    try {
      const sleepMs = await drainOnce(ctx, options);
      if (sleepMs > 0) await sleep(sleepMs, signal, woken.signal);
    } finally {
      stopListening();
    }
  }
}

/** Gives the milliseconds to sleep until the next drain. */
async function drainOnce(ctx: LoopContext, options: DrainOptions): Promise<number> {
  try {
    const { more, attempted, next_due_at } = await ctx.drain(options);
    // When deliveries are due although nothing was sent, another worker has leased
    // them. They are not asked for again at once.
    if (more) return attempted > 0 ? 0 : shortestSleepMs;
    if (next_due_at === null) return longestSleepMs;

    const dueInMs = Date.parse(next_due_at) - ctx.now();
    return Math.min(longestSleepMs, Math.max(shortestSleepMs, dueInMs));
  } catch (error) {
    ctx.onError(error, "webhooks");
    return longestSleepMs;
  }
}

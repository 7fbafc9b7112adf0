import { setTimeout as wait } from "node:timers/promises";
import { isTransient } from "./failures.ts";

/** A call waits this many milliseconds for another process that holds a lock of the SQLite file. */
export const lockWaitMs = 5_000;

/**
 * Gives the pause before the next try. The pause is asynchronous, so that this
 * process goes on answering reads. It grows with the time that was waited already;
 * the jitter keeps processes out of step.
 */
export function busyPauseMs(waitedMs: number): number {
  const longest = Math.min(50, 2 + waitedMs / 4);
  return 1 + Math.random() * (longest - 1);
}

/**
 * Runs a read again while another process holds the file. Readers wait for no
 * writer, but the recovery of the log after a crash and its removal at the last
 * close lock them out for a moment.
 */
export async function readWhenFree<T>(run: () => T): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      return run();
    } catch (error) {
      const waitedMs = performance.now() - started;
      if (!isTransient(error) || waitedMs > lockWaitMs) throw error;
      await wait(busyPauseMs(waitedMs));
    }
  }
}

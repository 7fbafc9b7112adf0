import { setTimeout as wait } from "node:timers/promises";
import { isTransient } from "../failures.ts";

/**
 * Milliseconds that a call waits for another process that holds a lock of the SQLite
 * file.
 */
export const lockWaitMs = 5_000;

/**
 * A handle whose own wait for a lock is longer than this blocks the event loop, and its
 * host is warned.
 */
export const longestQuietWaitMs = 100;

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
      await wait(pauseAfter(error, started));
    }
  }
}

/** Runs it again while another process holds the file, and stops the event loop meanwhile. */
export function blockUntilFree<T>(run: () => T): T {
  const started = performance.now();
  const sleeper = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return run();
    } catch (error) {
      Atomics.wait(sleeper, 0, 0, pauseAfter(error, started));
    }
  }
}

/** Throws the error when another try cannot help, or when the time to wait is over. */
function pauseAfter(error: unknown, started: number): number {
  const waitedMs = performance.now() - started;
  if (!isTransient(error) || waitedMs > lockWaitMs) throw error;
  return busyPauseMs(waitedMs);
}

/** The number of milliseconds after which a turn takes up no further work. */
export const turnMs = 20;

/** Twice as many callers go on together after a step that took fewer milliseconds than this. */
const shortMs = 2;

/** So many callers go on together at most. */
const mostTogether = 16;

let waiting: (() => void)[] = [];
let scheduled = false;

/**
 * Resolves when this turn of the event loop has read all the input that had
 * arrived. The caller can then work on all of that input together. Callers go on
 * one after the other, and those for whom the turn has no time left go on in a
 * later one: a burst of requests must not hold timers and sockets until its last
 * answer.
 */
export function endOfTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    schedule();
  });
}

function schedule(): void {
  if (scheduled) return;
  scheduled = true;
  setImmediate(resumeWaiting);
}

/**
 * Lets go on those who wait now, one first, and more at each step while steps are short: what they
 * do finds the processor's caches warm. A long step is followed by steps of one caller.
 * Who begins to wait meanwhile belongs to the next turn.
 */
function resumeWaiting(): void {
  const startedAt = performance.now();
  const taken = waiting;
  waiting = [];
  scheduled = false;
  let next = 0;
  let together = 1;

  const resume = (begunAt: number): void => {
    const end = Math.min(next + together, taken.length);
    for (; next < end; next += 1) taken[next]?.();

    // A tick that is asked for in a microtask comes when all microtasks are done, which is all that
    // the callers do without waiting for input.
    queueMicrotask(() => process.nextTick(resumeOrLeave, begunAt));
  };

  const resumeOrLeave = (begunAt: number): void => {
    const now = performance.now();
    together = now - begunAt < shortMs ? Math.min(2 * together, mostTogether) : 1;
    if (next === taken.length) return;

    if (now - startedAt < turnMs) {
      resume(now);
      return;
    }

    // Those who have waited longest go on first in the next turn.
    waiting = [...taken.slice(next), ...waiting];
    schedule();
  };

  resume(startedAt);
}

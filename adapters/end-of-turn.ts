/** A turn takes up no further work once it has lasted this many milliseconds. */
export const turnMs = 20;

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

/** Lets go on those who wait now. Who begins to wait meanwhile belongs to the next turn. */
function resumeWaiting(): void {
  const startedAt = performance.now();
  const taken = waiting;
  waiting = [];
  scheduled = false;
  let next = 0;

  const resume = (): void => {
    taken[next]?.();
    next += 1;
    if (next >= taken.length) return;
    // A tick that is asked for in a microtask comes when all microtasks are done, which is all that
    // the caller does without waiting for input.
    queueMicrotask(() => process.nextTick(resumeOrLeave));
  };

  const resumeOrLeave = (): void => {
    if (performance.now() - startedAt < turnMs) {
      resume();
      return;
    }

    // Those who have waited longest go on first in the next turn.
    waiting = [...taken.slice(next), ...waiting];
    schedule();
  };

  resume();
}

/** Milliseconds after which a turn takes up no further work. */
export const turnMs = 20;

/** The most milliseconds of a step after which twice as many callers go on together. */
const shortMs = 2;

/** The most callers that go on together. */
const mostTogether = 16;

let waiting: (() => void)[] = [];
let scheduled = false;

/**
 * Resolves when this turn of the event loop has read all the input that had
 * arrived. The caller can then work on all of that input together. Callers for whom
 * the turn has no time left go on in a later one: a burst of requests must not hold
 * timers and sockets until its last answer.
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
 * Lets go on those who wait now: one first, and twice as many at each step while steps are short,
 * because work that is done together finds the processor's caches warm. After a long step one
 * caller goes on. Who begins to wait meanwhile belongs to the next turn.
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
    if (next === taken.length) return;

    // `process.nextTick` in a microtask runs after all other microtasks. Until then the callers
    // have done all that they can do without new input.
    queueMicrotask(() => process.nextTick(resumeOrLeave, begunAt));
  };

  const resumeOrLeave = (begunAt: number): void => {
    const now = performance.now();
    together = now - begunAt < shortMs ? Math.min(2 * together, mostTogether) : 1;
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

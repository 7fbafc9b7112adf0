/**
 * Gives milliseconds that only go forward, made of a clock that may be set back:
 * the steps back are added again. Durations are measured by it, never points in
 * time.
 */
export function createSteadyClock(now: () => number): () => number {
  let last = now();
  let setBackMs = 0;

  return () => {
    const current = now();
    if (current < last) setBackMs += last - current;
    last = current;
    return current + setBackMs;
  };
}

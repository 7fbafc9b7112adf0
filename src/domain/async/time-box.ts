/**
 * Gives the result of `work`, or of `onTimeout` when `work` takes longer than `ms`;
 * `onTimeout` may throw. The work itself is not stopped: only its result is ignored
 * from then on.
 */
export function timeBox<T, L = never>(
  work: T | PromiseLike<T>,
  ms: number,
  onTimeout: () => L,
): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(onTimeout());
      } catch (error) {
        reject(error);
      }
    }, ms);

    const endWith =
      <Value>(settle: (value: Value) => void) =>
      (value: Value): void => {
        clearTimeout(timer);
        settle(value);
      };
    Promise.resolve(work).then(endWith(resolve), endWith(reject));
  });
}

/**
 * Gives the result of `work`. It rejects with the signal's reason as soon as the
 * signal is aborted.
 */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) return stop();

    signal.addEventListener("abort", stop, { once: true });
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener("abort", stop));
  });
}

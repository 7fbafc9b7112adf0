/** Resolves after `ms`, or as soon as one of the signals is aborted. It never rejects. */
export function sleep(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);

    function end(): void {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", end);
      resolve();
    }

    for (const signal of signals) signal.addEventListener("abort", end);
    if (signals.some(({ aborted }) => aborted)) end();
  });
}

/** After a shortage the drain opens no further requests for this long. */
const shortageMs = 1_000;

/**
 * Limits the requests that the drain has open at once. When this process runs out
 * of file descriptors or ports, the limit is for a second the number that it could
 * open.
 */
export function createSendLimit(concurrency: number, onRaised: () => void) {
  let limit = concurrency;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function clear(): void {
    clearTimeout(timer);
    timer = undefined;
    limit = concurrency;
  }

  return {
    allows: (open: number): boolean => open < limit,
    /**
     * Lowers the limit, because a send failed for lack of resources while this many
     * others were open.
     */
    lower(open: number): void {
      clearTimeout(timer);
      limit = Math.min(limit, open);
      timer = setTimeout(() => {
        clear();
        onRaised();
      }, shortageMs);
    },
    isLowered: (): boolean => timer !== undefined,
    clear,
  };
}

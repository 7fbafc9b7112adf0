import type { WireRequest } from "../wire.ts";

/**
 * Asks the host to keep running until the work has ended. A host that keeps running anyway gives no
 * function for it. When the host's function throws, its error is reported and no answer fails.
 */
export function keepRunning(
  request: WireRequest,
  work: () => Promise<unknown>,
  onError: (error: unknown, where: string) => void,
): void {
  try {
    request.waitUntil?.(work());
  } catch (error) {
    onError(error, "waitUntil");
  }
}

import type { WireRequest } from "../wire.ts";

/**
 * Asks the host to keep running until the work has ended. A host that always keeps running gives no
 * `waitUntil`. An error that this function throws is reported, and the answer is sent anyway.
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

import type { WireRequest } from "../wire.ts";

/**
 * Asks the host to keep running until the work has ended. A host that goes on anyway
 * does not ask for the work here. The host's own code may throw: its error is
 * reported, and no answer fails because of it.
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

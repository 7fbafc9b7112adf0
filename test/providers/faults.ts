import type { IncomingMessage } from "node:http";

/** What happens to one request on its way. */
export type WireFault =
  /** The provider does not get the request. */
  | "lose_request"
  /** The provider does what it is asked for, and its answer is lost. */
  | "lose_answer"
  /** The answer comes later. */
  | { readonly delay_ms: number };

/** Chooses the fault of a request; null lets it pass. */
export type FaultChoice = (request: {
  readonly method: string;
  readonly path: string;
}) => WireFault | null;

/** Cuts the connection without an answer. */
export const cutOff = (request: IncomingMessage): void => void request.socket.destroy();

/** A fault for the next requests of one kind, and none after them. */
export function faultOnce(
  matches: (request: { readonly method: string; readonly path: string }) => boolean,
  fault: WireFault,
  times = 1,
): FaultChoice {
  let left = times;
  return (request) => {
    if (left === 0 || !matches(request)) return null;
    left -= 1;
    return fault;
  };
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A provider does what it is asked for, and its answer is lost in one of these ways. */
export type LostAnswer =
  /** The connection ends. */
  | "lose_answer"
  /** The connection is reset. */
  | "reset"
  /** The connection ends in the middle of the answer. */
  | "half_answer"
  /** Nothing comes, and the connection stays open. */
  | "silent";

/** What happens to one request on its way. */
export type WireFault =
  | LostAnswer
  /** The provider does not get the request. */
  | "lose_request"
  /** The answer comes later. */
  | { readonly delay_ms: number };

/** Chooses the fault of a request; null lets it pass. */
export type FaultChoice = (request: {
  readonly method: string;
  readonly path: string;
}) => WireFault | null;

/** Cuts the connection without an answer. */
export const cutOff = (request: IncomingMessage): void => void request.socket.destroy();

/** Loses an answer. `socket` is the connection below TLS: only that one can be reset. */
export function loseAnswer(fault: LostAnswer, { request, response, socket }: Exchange): void {
  switch (fault) {
    case "silent":
      break;
    case "reset":
      socket.resetAndDestroy();
      break;
    case "lose_answer":
      cutOff(request);
      break;
    case "half_answer":
      response.writeHead(200, { "content-type": "application/json", "content-length": 100 });
      response.write('{"', () => cutOff(request));
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly socket: Socket;
}

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

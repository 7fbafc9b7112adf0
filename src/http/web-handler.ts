import { awaitTurn } from "./turns.ts";
import {
  fromWeb,
  type RequestClient,
  type Serve,
  toWeb,
  type WireReply,
  type WireRequest,
} from "./wire.ts";

/** Makes a handler of Requests. `missing` answers those that `serve` leaves to the host. */
export const webHandler =
  (serve: Serve, missing: (request: WireRequest) => WireReply | Promise<WireReply>) =>
  async (request: Request, client?: RequestClient): Promise<Response> => {
    await awaitTurn();
    const wired = fromWeb(request, client);
    return toWeb((await serve(wired)) ?? (await missing(wired)), request.method);
  };

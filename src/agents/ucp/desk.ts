import type { z } from "zod";
import { readBody } from "../../http/body.ts";
import type { WireRequest } from "../../http/wire.ts";
import { validate } from "../../input/check.ts";
import type { ApiCall, StoreApi } from "../mcp/store-api.ts";
import type { Agent } from "./agent.ts";
import { faultOf } from "./api-faults.ts";
import type { Session } from "./checkout-view.ts";
import type { Active } from "./profile.ts";
import { notFound, ProtocolFault } from "./replies.ts";

/** What the operations of one request work with. */
export interface Desk {
  readonly agent: Agent;
  readonly active: Active;
  readonly request: WireRequest;
  readonly api: StoreApi;
  readonly success_url: string;
  readonly cancel_url: string;
  /** Closes an open session now. */
  expire(session_id: string, partition: { store_id: string; livemode: boolean }): Promise<unknown>;
  /** Makes the key that the API knows the agent's own by, so that agents never share one. */
  keyOf(purpose: string): Promise<string>;
}

/** The metadata of a session that tells which agent made it. */
export const agentField = "ucp_agent";

/** Reads the body of a request. One that does not fit is 400. */
export async function readRequest<S extends z.ZodType>(
  { request }: Desk,
  schema: S,
): Promise<z.output<S>> {
  const read = validate(schema, await readBody(request));
  if (read.ok) return read.value;
  throw new ProtocolFault(400, "invalid_request", read.error.message);
}

export const sessionPath = (id: string): string => `/checkout/sessions/${encodeURIComponent(id)}`;

/** Finds a session that this agent made. Any other is as if there were none. */
export async function findSession(desk: Desk, id: string): Promise<Session> {
  const { data } = await call<Session>(desk, { method: "GET", path: sessionPath(id) });
  if (data.metadata === undefined)
    throw new Error("The option key must be a secret key with the scope orders:read.");
  if (data.metadata[agentField] !== desk.agent.profile) throw notFound();
  return data;
}

/** Makes a call of the API, and throws its error as one of the protocol. */
export async function call<Data>({ api }: Desk, asked: ApiCall) {
  const answer = await api(asked);
  if (!answer.ok) throw faultOf(answer.error);
  return answer.body as unknown as {
    readonly data: Data;
    readonly livemode: boolean;
    readonly next_cursor?: string | null;
  };
}

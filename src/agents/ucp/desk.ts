import type { z } from "zod";
import type { Store } from "../../contract/schemas.ts";
import { readBody } from "../../http/body.ts";
import { validate } from "../../input/check.ts";
import { agentFields } from "../../rules/webhooks/told-agent.ts";
import { type AgentDesk, callApi } from "../shared/desk.ts";
import { isOfAgent, type Session, sessionPath } from "../shared/session.ts";
import type { ApiCall } from "../shared/store-api.ts";
import type { Agent } from "./agent.ts";
import { faultOf } from "./api-faults.ts";
import type { Agreed } from "./profile.ts";
import { notFound, ProtocolFault } from "./replies.ts";

/** What the operations of one request work with. `api` has the store's own key. */
export interface Desk extends AgentDesk {
  readonly agent: Agent;
  readonly agreed: Agreed;
}

/** The metadata of a session that tells which agent made it. */
export const agentField = agentFields.ucp;

/** Reads the body of a request. One that does not fit is 400. */
export async function readRequest<S extends z.ZodType>(
  { request }: Desk,
  schema: S,
): Promise<z.output<S>> {
  const read = validate(schema, await readBody(request));
  if (read.ok) return read.value;
  throw new ProtocolFault(400, "invalid_request", read.error.message);
}

/** Finds a session that this agent made. Any other is as if there were none. */
export async function findSession(desk: Desk, id: string, path?: string): Promise<Session> {
  const answer = await desk.api<Session>({ method: "GET", path: sessionPath(id) });
  if (!answer.ok && answer.error["code"] !== "resource_not_found") throw faultOf(answer.error);

  const session = answer.ok ? answer.body.data : null;
  if (!session || !isOfAgent(session, agentField, desk.agent.profile)) throw notFound(path);
  return session;
}

/** Closes a session of the key's store now, if it is open, and gives it as it stands then. */
export async function expireSession(desk: Desk, id: string): Promise<Session> {
  const { data, livemode } = await call<Store>(desk, { method: "GET", path: "/store" });
  await desk.expire(id, { store_id: data.id, livemode });
  return findSession(desk, id);
}

/** Makes a call of the API, and throws its error as one of the protocol. */
export const call = <Data>({ api }: Desk, asked: ApiCall) => callApi<Data>(api, asked, faultOf);

import type { z } from "zod";
import type { Product, Store } from "../../contract/schemas.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { readBody } from "../../http/body.ts";
import { validate } from "../../input/check.ts";
import { agentFields } from "../../rules/webhooks/told-agent.ts";
import { type AgentDesk, callApi } from "../shared/desk.ts";
import { isOfAgent, type Session, sessionPath } from "../shared/session.ts";
import type { ApiCall, StoreApi } from "../shared/store-api.ts";
import { faultOf, pathOf } from "./api-faults.ts";
import type { AcpVersion } from "./discovery.ts";
import { AcpFault, notFound } from "./replies.ts";

/**
 * What the operations of one request work with. `api` has the agent's own key: its scopes and
 * limits count, and it can be revoked.
 */
export interface Desk extends AgentDesk {
  /** The name that the host gave to the agent. */
  readonly agent: string;
  readonly version: AcpVersion;
  /** The endpoint's public address. */
  readonly endpoint: string;
  /** Reads whole sessions with the host's own key, which no agent has. */
  readonly house: StoreApi;
}

/** The metadata of a session that tells which agent made it. */
export const agentField = agentFields.acp;

/**
 * Reads the body of a request, and a digest of all that it says. The API is sent the digest
 * beside what it understands, and so tells two requests under one key apart.
 */
export async function readRequest<S extends z.ZodType>({ request }: Desk, schema: S) {
  const raw = await readBody(request);
  const read = validate(schema, raw);
  if (!read.ok) {
    const code = read.error.code === "parameter_missing" ? "missing" : "invalid";
    throw new AcpFault(400, code, read.error.message, { param: pathOf(read.error.param) });
  }
  return { body: read.value, acp_request: await sha256(canonicalJson(raw)) };
}

/** Finds a session that this agent made. Any other is as if there were none. */
export async function findSession({ agent, api, house }: Desk, id: string): Promise<Session> {
  const asked: ApiCall = { method: "GET", path: sessionPath(id) };
  await callApi(api, asked, faultOf);

  const { data } = await callHouse<Session>(house, asked);
  if (!isOfAgent(data, agentField, agent)) throw notFound();
  return data;
}

export const readStore = ({ house }: Desk) =>
  callHouse<Store>(house, { method: "GET", path: "/store" });

/** Finds a product that the store shows. */
export async function findProduct(house: Desk["house"], id: string): Promise<Product | null> {
  const path = `/products/${encodeURIComponent(id)}`;
  try {
    return (await callHouse<Product>(house, { method: "GET", path })).data;
  } catch (error) {
    if (error instanceof AcpFault && error.status === 404) return null;
    throw error;
  }
}

/** Calls with the host's own key. One that does not count is a fault of the host's settings. */
export async function callHouse<Data>(house: StoreApi, asked: ApiCall) {
  try {
    return await callApi<Data>(house, asked, faultOf);
  } catch (error) {
    if (error instanceof AcpFault && (error.status === 401 || error.status === 403))
      throw new Error(`The API refuses the option key: ${error.code}.`);
    throw error;
  }
}

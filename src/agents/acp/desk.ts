import type { z } from "zod";
import type { Store } from "../../contract/schemas.ts";
import { canonicalJson } from "../../domain/text/canonical-json.ts";
import { readBody } from "../../http/body.ts";
import type { WireRequest } from "../../http/wire.ts";
import { validate } from "../../input/check.ts";
import type { ApiCall, StoreApi } from "../mcp/store-api.ts";
import { faultOf, pathOf } from "./api-faults.ts";
import type { Session } from "./checkout-view.ts";
import type { AcpVersion } from "./discovery.ts";
import { AcpFault, notFound } from "./replies.ts";

/** What the operations of one request work with. */
export interface Desk {
  /** The name that the host gave to the agent. */
  readonly agent: string;
  readonly version: AcpVersion;
  /** The endpoint's public address. */
  readonly endpoint: string;
  readonly request: WireRequest;
  /** Calls the API with the agent's key: its scopes and limits count, and it can be revoked. */
  readonly api: StoreApi;
  /** Reads whole sessions with the host's own key, which no agent has. */
  readonly house: StoreApi;
  readonly success_url: string;
  readonly cancel_url: string;
  /** Closes an open session now. */
  expire(session_id: string, partition: { store_id: string; livemode: boolean }): Promise<unknown>;
  /** Makes the key that the API knows the agent's own by, so that agents never share one. */
  keyOf(purpose: string): Promise<string>;
}

/** The metadata of a session that tells which agent made it. */
export const agentField = "acp_agent";

export async function digestOf(words: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(words));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

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
  return { body: read.value, acp_request: await digestOf(canonicalJson(raw)) };
}

export const sessionPath = (id: string): string => `/checkout/sessions/${encodeURIComponent(id)}`;

/** Finds a session that this agent made. Any other is as if there were none. */
export async function findSession({ agent, api, house }: Desk, id: string): Promise<Session> {
  const asked: ApiCall = { method: "GET", path: sessionPath(id) };
  await call(api, asked);

  const { data } = await callHouse<Session>(house, asked);
  if (data.metadata === undefined)
    throw new Error("The option key must be a secret key with the scope orders:read.");
  if (data.metadata[agentField] !== agent) throw notFound();
  return data;
}

export const readStore = ({ house }: Desk) =>
  callHouse<Store>(house, { method: "GET", path: "/store" });

/** Makes a call of the API, and throws its error as one of the protocol. */
async function call<Data>(api: StoreApi, asked: ApiCall) {
  const answer = await api(asked);
  if (!answer.ok) throw faultOf(answer.error);
  return answer.body as unknown as {
    readonly data: Data;
    readonly livemode: boolean;
    readonly next_cursor?: string | null;
  };
}

/** Calls with the host's own key. One that does not count is a fault of the host's settings. */
export async function callHouse<Data>(house: StoreApi, asked: ApiCall) {
  try {
    return await call<Data>(house, asked);
  } catch (error) {
    if (error instanceof AcpFault && (error.status === 401 || error.status === 403))
      throw new Error(`The API refuses the option key: ${error.code}.`);
    throw error;
  }
}

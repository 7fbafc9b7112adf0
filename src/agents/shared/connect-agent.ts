import type { Store } from "../../contract/schemas.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import { checkAddress } from "../../owner/webhooks/endpoint-address.ts";
import { agentEventTypes, agentName } from "../../rules/webhooks/told-agent.ts";
import {
  type EndpointAgent,
  type EndpointRecord,
  maxEndpoints,
} from "../../rules/webhooks/webhook-records.ts";
import { putAgentEndpoint } from "../../steps/webhooks/agent-endpoint-steps.ts";
import type { Storage } from "../../storage/types.ts";
import type { WebhookTransport } from "../../webhooks/send/transport.ts";
import { callApi } from "./desk.ts";
import type { StoreApi } from "./store-api.ts";

/** What the endpoints of agents are kept and reached by. */
export interface AgentHost {
  readonly storage: Pick<Storage, "records" | "webhooks">;
  readonly keyRing: KeyRing;
  readonly transport: WebhookTransport;
  now(): number;
}

/** An agent, where it is told of its orders, and what signs the messages. */
interface Connection {
  readonly agent: EndpointAgent;
  readonly url: string;
  readonly secret: string;
}

/** Makes the endpoint of an agent, or brings its address and secret up to date. */
export async function connectAgent(
  { storage, keyRing, transport, now }: AgentHost,
  api: StoreApi,
  { agent, url, secret }: Connection,
): Promise<void> {
  const { data, livemode } = await callApi<Store>(api, { method: "GET", path: "/store" }, refused);
  const partition = { store_id: data.id, livemode };
  const named = JSON.stringify([agentName(agent), partition]);
  // All processes name an agent's endpoint alike, so that it is made once.
  const id = `we_${(await sha256(named)).slice(0, 26).toUpperCase()}`;

  const known = (await storage.webhooks.listEndpoints(partition)).find((each) => each.id === id);
  const isSame = JSON.stringify([known?.url, known?.agent]) === JSON.stringify([url, agent]);
  const [newest] = known?.secrets ?? [];
  if (isSame && newest && (await keyRing.unseal(newest.sealed, id)) === secret) return;

  await checkAddress(transport, url);
  const endpoint: EndpointRecord = {
    ...partition,
    id,
    url,
    event_types: agentEventTypes,
    state: "enabled",
    disabled_reason: null,
    description: null,
    secrets: [{ sealed: await keyRing.seal(secret, id), expires_at: null }],
    created_at: now(),
    agent,
  };
  if ((await putAgentEndpoint(storage.records, endpoint, maxEndpoints)) === "limit")
    throw new Error(`The store has ${maxEndpoints} endpoints already: ${agent.name} gets none.`);
}

const refused = ({ code }: Readonly<Record<string, unknown>>): Error =>
  new Error(`The API refuses the option key: ${String(code)}.`);

import type { Store } from "../../contract/schemas.ts";
import { sha256 } from "../../domain/keys/hash.ts";
import type { KeyRing } from "../../domain/keys/key-ring.ts";
import type { Serve } from "../../http/wire.ts";
import { invalidOption } from "../../input/option-error.ts";
import { checkAddress } from "../../owner/webhooks/endpoint-address.ts";
import { agentEventTypes, agentName } from "../../rules/webhooks/told-agent.ts";
import {
  type EndpointAgent,
  type EndpointRecord,
  maxEndpoints,
} from "../../rules/webhooks/webhook-records.ts";
import { putAgentEndpoint } from "../../steps/endpoint-steps.ts";
import type { Storage } from "../../storage/types.ts";
import type { WebhookTransport } from "../../webhooks/send/transport.ts";
import { callApi } from "./desk.ts";
import { hostParts } from "./host-parts.ts";
import { type StoreApi, storeApi } from "./store-api.ts";

/** What the endpoints of agents are kept and reached by. */
interface AgentHost {
  readonly storage: Pick<Storage, "records" | "webhooks">;
  readonly keyRing: KeyRing;
  readonly transport: WebhookTransport | null;
  now(): number;
}

/** The settings of the endpoint at which agents buy. */
interface ConnectorSettings extends Pick<EndpointAgent, "endpoint" | "success_url"> {
  readonly key: string;
  readonly basePath: string;
  readonly onError: (error: unknown) => void;
}

/** An agent that is told of its orders, and where. */
export interface ToldAgent extends Pick<EndpointAgent, "name"> {
  readonly url: string;
  /** What signs the messages, as the protocol's writer of messages understands it. */
  readonly secret: string;
}

/** Makes the endpoint of an agent, or brings its address and secret up to date. */
export type ConnectAgent = (told: ToldAgent) => Promise<void>;

/** What was found up to date is not looked at again for this long, nor what could not be made. */
const lookAgainMs = { found: 300_000, failed: 30_000 };

/** The last look at the endpoint of an agent. */
interface Look {
  /** The address and the secret that it was to have. */
  readonly wanted: string;
  readonly until: number;
  readonly done: Promise<void>;
}

/**
 * Makes the function that gives each agent an endpoint among those of the store. A failure is
 * told to `onError` and keeps no agent from buying. Throws `invalid_option` for a storefront that
 * sends no webhooks.
 */
export function agentConnector(
  storefront: { readonly serve: Serve; readonly [hostParts]?: AgentHost },
  protocol: EndpointAgent["protocol"],
  { key, basePath, endpoint, success_url, onError }: ConnectorSettings,
): ConnectAgent {
  const { serve, [hostParts]: host } = storefront;
  const transport = host?.transport;
  if (!host || !transport)
    return invalidOption("webhooks", "needs the option transport of createStorefront");

  const api = storeApi(serve, basePath, key, { ip: "", channel: protocol });

  const looked = new Map<string, Look>();
  return ({ name, url, secret }) => {
    const wanted = JSON.stringify([url, secret]);
    const known = looked.get(name);
    if (known?.wanted === wanted && known.until > host.now()) return known.done;

    const keep = (forMs: number, done: Promise<void>): void => {
      looked.set(name, { wanted, until: host.now() + forMs, done });
    };
    const agent = { protocol, name, endpoint, success_url };
    const made = connect({ ...host, transport }, api, { agent, url, secret });
    const done = made.catch((error: unknown) => {
      keep(lookAgainMs.failed, done);
      onError(error);
    });
    keep(lookAgainMs.found, done);
    return done;
  };
}

async function connect(
  { storage, keyRing, transport, now }: AgentHost & { readonly transport: WebhookTransport },
  api: StoreApi,
  { agent, url, secret }: Omit<ToldAgent, "name"> & { readonly agent: EndpointAgent },
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

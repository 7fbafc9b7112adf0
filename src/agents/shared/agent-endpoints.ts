import type { Serve } from "../../http/wire.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { EndpointAgent } from "../../rules/webhooks/webhook-records.ts";
import { cachedReader } from "./cached-reader.ts";
import type { AgentHost } from "./connect-agent.ts";
import { hostParts } from "./host-parts.ts";
import { storeApi } from "./store-api.ts";

/** The parts of a storefront, which may have no transport. */
type Host = Omit<AgentHost, "transport"> & { readonly transport: AgentHost["transport"] | null };

/** The settings of the endpoint at which agents buy. */
interface ConnectorSettings extends Pick<EndpointAgent, "endpoint" | "success_url"> {
  readonly key: string;
  readonly basePath: string;
  readonly onError: (error: unknown) => void;
}

/** An agent that is told of its orders, and where. */
export interface ToldAgent extends Pick<EndpointAgent, "name"> {
  readonly url: string;
  /** The endpoint that this agent uses, where it is not that of all agents. */
  readonly endpoint?: string;
  /** What signs the messages, as the protocol's writer of messages understands it. */
  readonly secret: string;
}

/** Makes the endpoint of an agent, or brings it up to date. Gives false when it cannot be made. */
export type ConnectAgent = (told: ToldAgent) => Promise<boolean>;

/**
 * Makes the function that gives each agent an endpoint among those of the store. A failure goes to
 * `onError`, and the agent can buy all the same. Throws `invalid_option` when the storefront sends
 * no webhooks.
 */
export function agentConnector(
  storefront: { readonly serve: Serve; readonly [hostParts]?: Host },
  protocol: EndpointAgent["protocol"],
  { key, basePath, endpoint, success_url, onError }: ConnectorSettings,
): ConnectAgent {
  const { serve, [hostParts]: host } = storefront;
  const transport = host?.transport;
  if (!host || !transport)
    return invalidOption("webhooks", "needs the option transport of createStorefront");

  const api = storeApi(serve, basePath, key, { ip: "", channel: protocol });

  const isConnected = cachedReader(async (told) => {
    const { name, endpoint: own = endpoint, ...reached }: ToldAgent = JSON.parse(told);
    try {
      // Most hosts tell no agent of its orders, and never load this.
      const { connectAgent } = await import("./connect-agent.ts");
      const agent = { protocol, name, endpoint: own, success_url };
      await connectAgent({ ...host, transport }, api, { agent, ...reached });
      return true;
    } catch (error) {
      onError(error);
      throw error;
    }
  }, host.now);
  return (told) => isConnected(JSON.stringify(told)).catch(() => false);
}

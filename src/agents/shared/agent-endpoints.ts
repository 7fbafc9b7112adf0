import type { Serve } from "../../http/wire.ts";
import { invalidOption } from "../../input/option-error.ts";
import type { EndpointAgent } from "../../rules/webhooks/webhook-records.ts";
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
  storefront: { readonly serve: Serve; readonly [hostParts]?: Host },
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
    const connect = async (): Promise<void> => {
      // A host that tells no agent needs none of it.
      const { connectAgent } = await import("./connect-agent.ts");
      await connectAgent({ ...host, transport }, api, { agent, url, secret });
    };
    const done = connect().catch((error: unknown) => {
      keep(lookAgainMs.failed, done);
      onError(error);
    });
    keep(lookAgainMs.found, done);
    return done;
  };
}

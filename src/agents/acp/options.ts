import { sha256 } from "../../domain/keys/hash.ts";
import { parseUrl } from "../../domain/parse-url.ts";
import { invalidOption, type OptionNames } from "../../input/option-error.ts";
import type { OptionKind } from "../../input/option-kinds.ts";
import { readShared, secretKey } from "../shared/options.ts";

/** The options of `createAcp`. */
export interface AcpOptions {
  /** The endpoint's public address, e.g. `https://shop.example.com/acp`. */
  readonly endpoint: string;
  /**
   * The agents that may buy here: a name for each, and a secret key of the store with the scope
   * `checkout:write` and no other, which the agent sends as `Authorization: Bearer`.
   */
  readonly agents: Readonly<Record<string, string>>;
  /**
   * The secret key of the store that the endpoint itself uses. Its scopes are `catalog:read`,
   * `checkout:write` and `orders:read`. No agent is ever shown the key.
   */
  readonly key: string;
  /** A registered return URL: the buyer comes here after the payment. */
  readonly success_url: string;
  /** A registered return URL: the buyer comes here after giving up. */
  readonly cancel_url: string;
  /**
   * Where agents are told of their orders. It needs the option `transport` of the storefront. By
   * default none is told.
   */
  readonly webhooks?: AcpWebhooks | undefined;
  /** The public path of the API. Default `/v1`. */
  readonly basePath?: string | undefined;
  /** Is told of errors that are not the agent's. By default they are written to the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Where agents are told of their orders. */
export interface AcpWebhooks {
  /** By the agent's name: the address that it gave you, and the secret of `Merchant-Signature`. */
  readonly agents: Readonly<Record<string, { readonly url: string; readonly secret: string }>>;
}

const kinds: OptionNames<AcpOptions, OptionKind> = {
  endpoint: true,
  agents: true,
  key: true,
  success_url: true,
  cancel_url: true,
  webhooks: { agents: "object" },
  basePath: "string",
  onError: "function",
};

/** The options as the endpoint works with them. */
export type AcpSettings = ReturnType<typeof readOptions>;

/** Reads the options. Throws `invalid_option` when one is wrong. */
export function readOptions(given: AcpOptions) {
  const shared = readShared(given, "acp", kinds);
  const agents = readAgents(given.agents, given.key);
  checkWebhooks(given);
  return {
    ...shared,
    // Digests are compared, so that the time of a look-up tells nothing of a key.
    agents: Promise.all(
      agents.map(async (agent) => [await sha256(agent.key), agent] as const),
    ).then((pairs) => new Map(pairs)),
    webhooks: given.webhooks,
  };
}

function readAgents(given: AcpOptions["agents"], own: string) {
  const agents = Object.entries(given ?? {}).map(([name, key]) => ({ name, key }));
  if (agents.length === 0) invalidOption("agents", 'must name an agent: { assistant: "hk_…" }');

  for (const { name, key } of agents) {
    if (!/^[\w.-]{1,64}$/.test(name))
      invalidOption("agents", "must have names of 1 to 64 letters, digits, dots and dashes");
    if (typeof key !== "string" || secretKey.exec(key)?.[1] !== secretKey.exec(own)?.[1])
      invalidOption("agents", `must give ${name} a secret key of the mode of the option key`);
  }
  const keys = new Set([own, ...agents.map(({ key }) => key)]);
  if (keys.size <= agents.length)
    invalidOption("agents", "must give each agent a key of its own, which is not the option key");
  return agents;
}

function checkWebhooks({ webhooks, agents }: AcpOptions): void {
  if (webhooks === undefined) return;
  for (const [name, told] of Object.entries(webhooks.agents ?? {})) {
    const { url, secret } = told ?? {};
    if (!Object.hasOwn(agents, name))
      invalidOption("webhooks.agents", `names ${name}, which is not in the option agents`);
    if (typeof url !== "string" || !parseUrl(url))
      invalidOption("webhooks.agents", `must give ${name} a url`);
    if (typeof secret !== "string" || secret === "")
      invalidOption("webhooks.agents", `must give ${name} a secret`);
  }
}

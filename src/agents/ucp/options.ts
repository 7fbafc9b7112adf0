import { parseUrl } from "../../domain/parse-url.ts";
import { invalidOption, type OptionNames } from "../../input/option-error.ts";
import type { OptionKind } from "../../input/option-kinds.ts";
import { cachedReader } from "../shared/cached-reader.ts";
import { readShared } from "../shared/options.ts";
import { askProfile, keysIn, readProfile } from "./negotiate.ts";
import type { AgentKey } from "./signatures/agent-keys.ts";
import { signerOf } from "./signatures/sign.ts";

/** The options of `createUcp`. */
export interface UcpOptions {
  /** The endpoint's public address, e.g. `https://shop.example.com/ucp`. */
  readonly endpoint: string;
  /**
   * The secret key of the store that the endpoint uses. Its scopes are `catalog:read`,
   * `checkout:write` and `orders:read`. No agent is ever shown the key.
   */
  readonly key: string;
  /** A registered return URL: the buyer comes here after the payment. */
  readonly success_url: string;
  /** A registered return URL: the buyer comes here after giving up. */
  readonly cancel_url: string;
  /** The public path of the API. Default `/v1`. */
  readonly basePath?: string | undefined;
  /**
   * Fetches the profile of an agent, to agree on version and capabilities. Refuse redirects and
   * addresses of your own network in it. Without it no profile is read: an agent may use all that
   * the store can do, and its version is the one that the header names.
   */
  readonly fetchProfile?: ((url: string) => Promise<unknown>) | undefined;
  /**
   * Says whether a request comes from the agent that it names, e.g. by its API key. By default
   * every agent is served, and none may read orders.
   */
  readonly authorize?: ((agent: UcpAgent) => boolean | Promise<boolean>) | undefined;
  /**
   * Finds the public keys (JWK) of the agent with this profile address. They verify its signatures.
   * By default they are the keys of the profile that `fetchProfile` gives. Without either option
   * no signature is judged.
   */
  readonly agentKeys?:
    | ((profile: string) => readonly AgentKey[] | Promise<readonly AgentKey[]>)
    | undefined;
  /** True refuses requests that are not signed (RFC 9421). Default false. */
  readonly requireSignatures?: boolean | undefined;
  /**
   * The store's private key of ES256, a JWK with a `kid`. Answers are signed with it, and the
   * profile shows its public half. By default nothing is signed.
   */
  readonly signingKey?: AgentKey | undefined;
  /**
   * The agents that are told of their orders. It needs `fetchProfile`, which finds their addresses,
   * `signingKey`, and the option `transport` of the storefront. By default none is told.
   */
  readonly webhooks?: UcpWebhooks | undefined;
  /** Is told of errors that are not the agent's. By default they are written to the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Names the agents that are told of their orders. */
export interface UcpWebhooks {
  /** The addresses of their profiles, which hold a `webhook_url`. */
  readonly agents: readonly string[];
}

/** An agent that calls, as its request shows it. */
export interface UcpAgent {
  /** The address of its profile, as the header `UCP-Agent` claims. */
  readonly profile: string;
  /** The header `X-API-Key`. */
  readonly apiKey: string | undefined;
  /** The header `Authorization`. */
  readonly authorization: string | undefined;
  /** True means that a signature by a key of that profile was verified. */
  readonly signed: boolean;
}

const kinds: OptionNames<UcpOptions, OptionKind> = {
  endpoint: true,
  key: true,
  success_url: true,
  cancel_url: true,
  basePath: "string",
  fetchProfile: "function",
  authorize: "function",
  agentKeys: "function",
  requireSignatures: "boolean",
  signingKey: true,
  webhooks: { agents: "list" },
  onError: "function",
};

/** The options as the endpoint works with them. */
export type UcpSettings = ReturnType<typeof readOptions>;

/** Reads the options. Throws `invalid_option` when one is wrong. */
export function readOptions(given: UcpOptions) {
  const shared = readShared(given, "ucp", kinds);
  const { fetchProfile, authorize, agentKeys, requireSignatures = false, signingKey } = given;
  if (requireSignatures && !agentKeys && !fetchProfile)
    invalidOption("requireSignatures", "needs agentKeys or fetchProfile, which find the keys");

  if (given.webhooks) {
    if (!fetchProfile || !signingKey)
      invalidOption("webhooks", "needs fetchProfile and signingKey: messages must be signed");
    if (!given.webhooks.agents?.every(parseUrl))
      invalidOption("webhooks.agents", "must be the addresses of profiles");
  }

  const { now } = shared;
  const profileOf = fetchProfile && cachedReader((url) => readProfile(fetchProfile, url), now);
  return {
    ...shared,
    authorize,
    profileOf,
    keysOf: agentKeys
      ? cachedReader((url) => askProfile(agentKeys, url), now)
      : profileOf &&
        (async (url: string, isFresh: boolean) => keysIn(await profileOf(url, isFresh))),
    requireSignatures,
    signer: signingKey === undefined ? null : signerOf(signingKey),
    signingKey,
    webhooks: given.webhooks,
  };
}

import { invalidOption, type OptionNames } from "#core/input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "#core/input/option-kinds.ts";
import { addressKinds, requireOrigins } from "#core/webhooks/send/address-options.ts";
import {
  type AddressOptions,
  isMetadataAddress,
  isPublicAddress,
  type JudgedUrl,
  judgeWebhookUrl,
} from "#core/webhooks/send/address-rules.ts";
import type { WebhookTransport } from "#core/webhooks/send/transport.ts";
import { createConnectionPool } from "./pool.ts";
import { createPost, type Destination } from "./post.ts";
import {
  checkedAddresses,
  NameResolver,
  type Resolve,
  resolveByDns,
  resolveBySystem,
  SendFailure,
} from "./resolve.ts";

export type { AddressOptions } from "#core/webhooks/send/address-rules.ts";
export type {
  SendErrorClass,
  Sent,
  WebhookPost,
  WebhookTransport,
} from "#core/webhooks/send/transport.ts";
export type { Resolve } from "./resolve.ts";

/** The options of `nodeTransport`. */
export interface NodeTransportOptions extends AddressOptions {
  /** The certificates, in PEM, that are trusted beside the system's. */
  readonly ca?: string | readonly string[] | undefined;
  /**
   * Resolves names. It is the network's DNS by default. Its addresses are judged
   * all the same.
   */
  readonly resolve?: Resolve | undefined;
  /**
   * Resolves the names of `allowTargets`. By default it works as the system
   * does, `localhost` included.
   */
  readonly resolveAllowed?: Resolve | undefined;
  /**
   * Receives the one warning that `allowTargets` opens addresses. It is
   * `console.warn` by default.
   */
  readonly warn?: ((message: string) => void) | undefined;
}

/** A transport whose connections can be closed. */
export interface NodeTransport extends WebhookTransport {
  /** Closes every connection; a send under way fails. */
  close(): void;
}

const checkMs = 10_000;
const maxDestinations = 10_000;

const optionKinds: OptionNames<NodeTransportOptions, OptionKind> = {
  ...addressKinds,
  ca: true,
  resolve: "function",
  resolveAllowed: "function",
  warn: "function",
};

/**
 * Sends over node:https. At each send the name is resolved and every address of it
 * is checked; the connection is pinned to the checked addresses and TLS is verified
 * against the name. Redirects and the proxies of the environment are never
 * followed. One deadline covers all from DNS to the headers.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  refuseWrongOptions(options, optionKinds);
  const { resolve = resolveByDns, resolveAllowed = resolveBySystem } = options;
  if (![options.ca ?? []].flat().every((part) => typeof part === "string"))
    invalidOption("ca", "must be PEM");
  requireOrigins(options);
  warnOfTargets(options);

  const pool = createConnectionPool(options.ca);
  const publicNames = new NameResolver(resolve, (address) => isPublicAddress(address, options));
  const allowedNames = new NameResolver(resolveAllowed, (address) => !isMetadataAddress(address));
  const judge = createJudge(options);
  const namesOf = (destination: Destination): NameResolver =>
    destination.allowedTarget ? allowedNames : publicNames;

  const post = createPost({
    pool,
    judge,
    known: (destination) => destination.fixed ?? namesOf(destination).known(destination.host),
    find: (destination, signal) => namesOf(destination).find(destination.host, signal),
  });

  return {
    async check(raw) {
      const verdict = judgeWebhookUrl(raw, options);
      if (!verdict.ok) return { ok: false, reason: verdict.reason };

      const destination = judge(raw);
      if (!destination || destination.fixed) return { ok: true };

      const reason = await resolveFault(namesOf(destination), destination.host);
      return reason === null ? { ok: true } : { ok: false, reason };
    },
    send: (message) => new Promise((done) => post(message, done)),
    close: pool.close,
  };
}

function warnOfTargets({ allowTargets = [], warn = console.warn }: NodeTransportOptions): void {
  if (allowTargets.length > 0)
    warn(
      `vitrine: webhooks may go to ${allowTargets.join(", ")}, public or not, ` +
        "because allowTargets says so.",
    );
}

/** Judges each URL once. It gives null when nothing may be sent there. */
function createJudge(options: AddressOptions): (url: string) => Destination | null {
  const judged = new Map<string, Destination | null>();

  return (url) => {
    let destination = judged.get(url);
    if (destination === undefined) {
      const verdict = judgeWebhookUrl(url, options);
      destination = verdict.ok ? destinationOf(verdict) : null;
      if (judged.size >= maxDestinations) judged.clear();
      judged.set(url, destination);
    }
    return destination;
  };
}

const destinationOf = (verdict: JudgedUrl): Destination => ({
  ...verdict,
  fixed: verdict.hostKind === "name" ? null : checkedAddresses([verdict.host]),
  route: null,
});

/** Tells why a name is refused at registration. It gives null when it is not. */
async function resolveFault(names: NameResolver, host: string): Promise<string | null> {
  const controller = new AbortController();
  const deadline = setTimeout(() => controller.abort(), checkMs);

  try {
    await names.find(host, controller.signal);
    return null;
  } catch (error) {
    const isBlocked = error instanceof SendFailure && error.kind === "ssrf_blocked";
    return isBlocked
      ? "it does not resolve to public addresses alone"
      : "its host name does not resolve";
  } finally {
    clearTimeout(deadline);
  }
}

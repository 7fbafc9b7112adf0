import {
  type AddressOptions,
  isMetadataAddress,
  isPublicAddress,
  judgeWebhookUrl,
  originOf,
} from "../../src/webhooks/address-rules.ts";
import type { WebhookTransport } from "../../src/webhooks/transport.ts";
import { createPool } from "./pool.ts";
import { createPost, type Target } from "./post.ts";
import {
  answerOf,
  createLookups,
  Failure,
  type Resolve,
  resolveByDns,
  resolveBySystem,
} from "./resolve.ts";

export type {
  SendErrorClass,
  Sent,
  WebhookPost,
  WebhookTransport,
} from "../../src/webhooks/transport.ts";
export type { Resolve } from "./resolve.ts";

export interface NodeTransportOptions extends AddressOptions {
  /** Certificates to trust beside the system's, PEM. */
  readonly ca?: string | readonly string[];
  /** How names are resolved; the network's DNS by default. What it answers is judged all the same. */
  readonly resolve?: Resolve;
  /** How the names of `allowTargets` are resolved; as the system does by default, `localhost` included. */
  readonly resolveAllowed?: Resolve;
  /** Receives the one warning that `allowTargets` opens addresses; `console.warn` by default. */
  readonly warn?: (message: string) => void;
}

export interface NodeTransport extends WebhookTransport {
  /** Closes every connection; a send under way fails. */
  close(): void;
}

const checkMs = 10_000;
const maxKept = 10_000;

/**
 * Sends over node:https by the rules of CONTRACT 7: the name is resolved and every answer checked at each send, the connection pinned to what
 * was checked, TLS verified against the name, redirects and environment proxies never followed, one deadline from DNS to headers.
 */
export function nodeTransport(options: NodeTransportOptions = {}): NodeTransport {
  const {
    allowTargets = [],
    resolve = resolveByDns,
    resolveAllowed = resolveBySystem,
    warn = console.warn,
  } = options;
  for (const target of allowTargets) {
    if (originOf(target) === null)
      throw new TypeError(
        `allowTargets takes origins such as http://127.0.0.1:4242, not ${target}`,
      );
  }
  if (allowTargets.length > 0)
    warn(
      `vitrine: webhooks may go to ${allowTargets.join(", ")}, public or not, because allowTargets says so.`,
    );

  const pool = createPool(options.ca);
  const publicNames = createLookups(resolve, (address) => isPublicAddress(address, options));
  const openNames = createLookups(resolveAllowed, (address) => !isMetadataAddress(address));
  const judged = new Map<string, Target | null>();

  const judge = (raw: string): Target | null => {
    let target = judged.get(raw);
    if (target === undefined) {
      const verdict = judgeWebhookUrl(raw, options);
      target = verdict.ok
        ? {
            ...verdict,
            fixed: verdict.hostKind === "name" ? null : answerOf([verdict.host]),
            place: null,
          }
        : null;
      if (judged.size >= maxKept) judged.clear();
      judged.set(raw, target);
    }
    return target;
  };
  const namesOf = (target: Target) => (target.allowedTarget ? openNames : publicNames);
  const post = createPost({
    pool,
    judge,
    known: (target) => target.fixed ?? namesOf(target).known(target.host),
    find: (target, signal) => namesOf(target).find(target.host, signal),
  });

  return {
    async check(raw) {
      const verdict = judgeWebhookUrl(raw, options);
      if (!verdict.ok) return { ok: false, reason: verdict.reason };
      const target = judge(raw);
      if (!target || target.fixed) return { ok: true };
      const controller = new AbortController();
      const deadline = setTimeout(() => controller.abort(), checkMs);
      try {
        await namesOf(target).find(target.host, controller.signal);
        return { ok: true };
      } catch (error) {
        const blocked = error instanceof Failure && error.kind === "ssrf_blocked";
        return {
          ok: false,
          reason: blocked
            ? "it does not resolve to public addresses alone"
            : "its host name does not resolve",
        };
      } finally {
        clearTimeout(deadline);
      }
    },
    send: (message) => new Promise((done) => post(message, done)),
    close: pool.close,
  };
}

import { Resolver, lookup as systemLookup } from "node:dns/promises";

/** Every address a name has; rejects when there is none. Cancelled by the signal. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const keepMs = 5_000;
const maxKept = 10_000;

/** The network's own answer: /etc/hosts and search domains are not asked, for they name this network's inside. */
export const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 5_000, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (addresses.length > 0) return addresses;
    throw answers.find((answer) => answer.status === "rejected")?.reason ?? new Error("no address");
  } finally {
    signal.removeEventListener("abort", cancel);
  }
};

/** For targets that were allowed by name, `localhost` first of all. */
export const resolveBySystem: Resolve = async (host) => (await systemLookup(host, { all: true })).map(({ address }) => address);

/** Answers are kept for 5 s at most; failures are not. */
export function cached(resolve: Resolve): Resolve {
  const kept = new Map<string, { addresses: readonly string[]; until: number }>();
  return async (host, signal) => {
    const now = Date.now();
    const known = kept.get(host);
    if (known && known.until > now) return known.addresses;
    const addresses = await resolve(host, signal);
    if (kept.size >= maxKept) kept.clear();
    kept.set(host, { addresses, until: now + keepMs });
    return addresses;
  };
}

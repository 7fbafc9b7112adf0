import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { SendErrorClass } from "../../src/webhooks/transport.ts";

/** Every address of a name; rejects, or gives none, when there is none. Stops when the signal says so. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** What a connection is pinned to. */
export interface Answer {
  readonly addresses: readonly string[];
  /** Names the set, whatever its order was. */
  readonly set: string;
  readonly lookup: LookupFunction;
}

/** Ends a send; `kind` is what its log says. */
export class Failure extends Error {
  readonly kind: SendErrorClass;
  constructor(kind: SendErrorClass) {
    super(kind);
    this.kind = kind;
  }
}

const keepMs = 5_000;
const maxKept = 10_000;
const graceMs = 1_000;

/** The network's own answer. Neither /etc/hosts nor search domains are asked, for they name this network's inside. */
export const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_500, tries: 3 });
  const cancel = (): void => resolver.cancel();
  let grace: ReturnType<typeof setTimeout> | undefined;
  // Once one family has answered, a name server that is silent about the other holds nothing up.
  const hurry = (addresses: string[]): string[] => {
    grace ??= setTimeout(cancel, graceMs);
    return addresses;
  };
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then(hurry),
      resolver.resolve6(host).then(hurry),
    ]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    clearTimeout(grace);
    signal.removeEventListener("abort", cancel);
  }
};

/** For targets that were allowed by name, `localhost` first of all. */
export const resolveBySystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

/** Look-ups shared by the sends that wait for the same name, judged whole and kept for 5 s; failures are not kept. */
export function createLookups(resolve: Resolve, allowed: (address: string) => boolean) {
  const kept = new Map<string, { readonly answer: Answer; readonly until: number }>();
  const running = new Map<
    string,
    { readonly work: Promise<Answer>; readonly controller: AbortController; waiting: number }
  >();

  const start = (host: string) => {
    const controller = new AbortController();
    const work = judgedAnswer(resolve, host, controller.signal, allowed);
    const entry = { work, controller, waiting: 0 };
    running.set(host, entry);
    const done = (): void => {
      if (running.get(host) === entry) running.delete(host);
    };
    work.then((answer) => {
      if (kept.size >= maxKept) kept.clear();
      kept.set(host, { answer, until: performance.now() + keepMs });
      done();
    }, done);
    return entry;
  };

  return {
    known(host: string): Answer | undefined {
      const entry = kept.get(host);
      if (entry && entry.until > performance.now()) return entry.answer;
      if (entry) kept.delete(host);
      return undefined;
    },
    /** Rejects with a Failure. The look-up is cancelled when the last of those that wait for it leaves. */
    find(host: string, signal: AbortSignal): Promise<Answer> {
      const entry = running.get(host) ?? start(host);
      entry.waiting += 1;
      return new Promise((found, reject) => {
        const leave = (): void => {
          signal.removeEventListener("abort", stop);
          entry.waiting -= 1;
        };
        const stop = (): void => {
          leave();
          if (entry.waiting === 0) {
            running.delete(host);
            entry.controller.abort();
          }
          reject(new Failure("timeout"));
        };
        signal.addEventListener("abort", stop, { once: true });
        entry.work.then(found, reject).finally(() => {
          if (!signal.aborted) leave();
        });
      });
    },
  };
}

async function judgedAnswer(
  resolve: Resolve,
  host: string,
  signal: AbortSignal,
  allowed: (address: string) => boolean,
): Promise<Answer> {
  let addresses: readonly string[];
  try {
    addresses = await resolve(host, signal);
  } catch {
    throw new Failure("dns_error");
  }
  if (addresses.length === 0) throw new Failure("dns_error");
  if (!addresses.every((address) => isIP(address) > 0 && allowed(address)))
    throw new Failure("ssrf_blocked");
  return answerOf(addresses);
}

export function answerOf(given: readonly string[]): Answer {
  // Spelled as a socket spells its remote address, with which they are compared.
  const addresses = given.map((address) =>
    isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address,
  );
  const choices = addresses.map((address) => ({ address, family: isIP(address) }));
  return {
    addresses,
    set: [...addresses].sort().join(),
    lookup(_host, options, done) {
      if (options.all) done(null, choices);
      else done(null, choices[0]?.address ?? "", choices[0]?.family);
    },
  };
}

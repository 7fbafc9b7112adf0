import { Resolver, lookup as systemLookup } from "node:dns/promises";
import { open } from "node:fs/promises";
import { isIP, type LookupFunction } from "node:net";
import { isLocalShortage } from "#core/webhooks/drain/local-shortage.ts";
import type { SendErrorClass } from "#core/webhooks/send/transport.ts";

/**
 * Gives every address of a name. When the name has none, it rejects or gives none.
 * Stops when the signal is aborted.
 */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/** A connection is pinned to these checked addresses of a name. */
export interface CheckedAddresses {
  readonly addresses: readonly string[];
  /** The same for the same addresses in any order. */
  readonly key: string;
  readonly lookup: LookupFunction;
}

/** Ends a send; `kind` is the error in its log. */
export class SendFailure extends Error {
  readonly kind: SendErrorClass;
  constructor(kind: SendErrorClass) {
    super(kind);
    this.kind = kind;
  }
}

const keepMs = 5_000;
const maxKept = 10_000;
const otherFamilyMs = 1_000;

/**
 * Asks the network's name servers. It asks neither /etc/hosts nor search domains,
 * for these name the inside of this network.
 */
export const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: 2_500, tries: 3 });
  const cancel = (): void => resolver.cancel();
  let timer: ReturnType<typeof setTimeout> | undefined;
  // Once one family has answered, a name server that is silent about the other delays nothing.
  const limitOther = (addresses: string[]): string[] => {
    timer ??= setTimeout(cancel, otherFamilyMs);
    return addresses;
  };
  signal.addEventListener("abort", cancel, { once: true });

  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(host).then(limitOther),
      resolver.resolve6(host).then(limitOther),
    ]);
    return answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", cancel);
  }
};

/** Resolves targets that were allowed by name, such as `localhost`. */
export const resolveBySystem: Resolve = async (host) =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

interface RunningLookup {
  readonly work: Promise<CheckedAddresses>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Resolves and checks names. Sends that wait for the same name share one look-up;
 * its addresses are kept for 5 s, but a failure is not.
 */
export class NameResolver {
  readonly #resolve: Resolve;
  readonly #isAllowed: (address: string) => boolean;
  readonly #kept = new Map<
    string,
    { readonly checked: CheckedAddresses; readonly until: number }
  >();
  readonly #running = new Map<string, RunningLookup>();

  constructor(resolve: Resolve, isAllowed: (address: string) => boolean) {
    this.#resolve = resolve;
    this.#isAllowed = isAllowed;
  }

  known(host: string): CheckedAddresses | undefined {
    const entry = this.#kept.get(host);
    if (entry && entry.until > performance.now()) return entry.checked;

    if (entry) this.#kept.delete(host);
    return undefined;
  }

  /**
   * Finds the addresses, or rejects with a SendFailure. The look-up is cancelled
   * when nobody waits for it any more.
   */
  find(host: string, signal: AbortSignal): Promise<CheckedAddresses> {
    const lookup = this.#running.get(host) ?? this.#start(host);
    lookup.waiting += 1;

    return new Promise((resolve, reject) => {
      const leave = (): void => {
        signal.removeEventListener("abort", stop);
        lookup.waiting -= 1;
      };
      const stop = (): void => {
        leave();
        if (lookup.waiting === 0) {
          this.#running.delete(host);
          lookup.controller.abort();
        }
        reject(new SendFailure("timeout"));
      };

      signal.addEventListener("abort", stop, { once: true });
      lookup.work.then(resolve, reject).finally(() => {
        if (!signal.aborted) leave();
      });
    });
  }

  #start(host: string): RunningLookup {
    const controller = new AbortController();
    const work = this.#resolveAndCheck(host, controller.signal);
    const lookup = { work, controller, waiting: 0 };
    this.#running.set(host, lookup);

    const end = (): void => {
      if (this.#running.get(host) === lookup) this.#running.delete(host);
    };
    work.then((checked) => {
      if (this.#kept.size >= maxKept) this.#kept.clear();
      this.#kept.set(host, { checked, until: performance.now() + keepMs });
      end();
    }, end);
    return lookup;
  }

  async #resolveAndCheck(host: string, signal: AbortSignal): Promise<CheckedAddresses> {
    const resolve = this.#resolve;
    let addresses: readonly string[];
    try {
      addresses = await resolve(host, signal);
    } catch {
      addresses = [];
    }

    if (addresses.length === 0)
      throw new SendFailure((await lacksDescriptors()) ? "local_shortage" : "dns_error");
    if (!addresses.every((address) => isIP(address) > 0 && this.#isAllowed(address)))
      throw new SendFailure("ssrf_blocked");
    return checkedAddresses(addresses);
  }
}

/**
 * Tells whether file descriptors are lacking. Without one, a look-up fails as if no
 * name server answered.
 */
async function lacksDescriptors(): Promise<boolean> {
  try {
    const file = await open(process.execPath);
    await file.close();
    return false;
  } catch (error) {
    return isLocalShortage(error);
  }
}

export function checkedAddresses(given: readonly string[]): CheckedAddresses {
  // They are spelled as a socket spells its remote address, with which they are compared.
  const addresses = given.map((address) =>
    isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address,
  );
  const choices = addresses.map((address) => ({ address, family: isIP(address) }));

  return {
    addresses,
    key: [...addresses].sort().join(),
    lookup(_host, options, done) {
      if (options.all) done(null, choices);
      else done(null, choices[0]?.address ?? "", choices[0]?.family);
    },
  };
}

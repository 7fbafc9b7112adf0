import type { AccessCache } from "../http/access/access-cache.ts";
import { type Collector, createCollector } from "../http/metrics/collector.ts";
import { combineObservers } from "../http/metrics/combine.ts";
import type { CacheLookup, Observer } from "../http/observe/observer.ts";
import type { CatalogCache } from "../http/replies/catalog-cache.ts";
import type { StorefrontOptions } from "../options.ts";
import type { Outcomes } from "../rules/orders/outcomes.ts";
import type { Storage } from "../storage/types.ts";
import { observeStorage } from "./observed-storage.ts";
import type { Reports } from "./reports.ts";

/** The listeners that are told what a storefront does. */
export interface Observation {
  /** The host's observer joined with that of the metrics. Undefined when there is neither. */
  readonly observer: Observer | undefined;
  /** The collector of the sums for `GET {basePath}/metrics`. Null without the option. */
  readonly collector: Collector | null;
}

export function createObservation({ observer, metrics }: StorefrontOptions): Observation {
  const collector = metrics ? createCollector(metrics.labels ?? {}) : null;
  const observers = [observer, collector?.observer].filter((one) => one !== undefined);
  return { observer: combineObservers(observers), collector };
}

type TellError = Pick<Reports, "onError">;

/** Makes a storage that tells the observer of its calls, if the observer wants to be told. */
export function observedStorage(
  storage: Storage,
  observer: Observer | undefined,
  reports: TellError,
): Storage {
  if (!observer?.storageCall) return storage;

  return observeStorage(storage, (call) => guarded(reports, () => observer.storageCall?.(call)));
}

/** Tells the observer what became of sessions and payments. */
export const observedOutcomes = (observer: Observer | undefined, reports: TellError): Outcomes => ({
  session: (session) => guarded(reports, () => observer?.session?.(session)),
  payment: (payment) => guarded(reports, () => observer?.payment?.(payment)),
});

/** Makes the caches of a process, which tell the observer of each lookup. */
export function observedCaches(
  caches: { readonly access: AccessCache; readonly catalogCache: CatalogCache },
  observer: Observer | undefined,
  reports: TellError,
): typeof caches {
  if (!observer?.cacheLookup) return caches;

  const { access, catalogCache } = caches;
  const tellLookup = <Found>(cache: CacheLookup["cache"], found: Found): Found => {
    guarded(reports, () => observer.cacheLookup?.({ cache, hit: found !== undefined }));
    return found;
  };
  return {
    access: { ...access, recall: (key) => tellLookup("keys", access.recall(key)) },
    catalogCache: { ...catalogCache, get: (name) => tellLookup("answers", catalogCache.get(name)) },
  };
}

/** Calls `tell`. An error of the host's observer is reported and changes nothing else. */
export function guarded({ onError }: TellError, tell: () => void): void {
  try {
    tell();
  } catch (error) {
    onError(error, "observer");
  }
}

import type { StorageCall } from "../http/observe/observer.ts";
import type { Storage } from "../storage/types.ts";

/** Is told of each call of a storage. It never throws. */
type TellCall = (call: StorageCall) => void;

const storeNames = [
  "access",
  "catalog",
  "records",
  "checkout",
  "orders",
  "webhooks",
  "limits",
  "consumers",
  "privacy",
  "lists",
  "backOffice",
  "stats",
  "gauges",
  "dashboard",
  "requests",
  "audit",
] as const satisfies readonly (keyof Storage)[];

const isStoreName = (name: string): boolean => storeNames.some((known) => known === name);

type Method = (...args: readonly unknown[]) => unknown;

/** Makes a storage that tells of each call of its stores. Every part writes through it. */
export function observeStorage(storage: Storage, tell: TellCall): Storage {
  const observed = new Map<string, object>();

  return new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value === "function") return value.bind(target);
      if (typeof name === "symbol" || !isStoreName(name)) return value;

      const known = observed.get(name) ?? observeStore(name, value as object, tell);
      observed.set(name, known);
      return known;
    },
  });
}

function observeStore<Store extends object>(
  store_name: string,
  store: Store,
  tell: TellCall,
): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name === "symbol") return value;
      return observeMethod(callNames(store_name, name), value.bind(target), tell);
    },
  });
}

/** Names a call by its store and method. A step has a name of its own. */
function callNames(store_name: string, method: string): (args: readonly unknown[]) => string {
  const name = `${store_name}.${method}`;
  if (method !== "step" && method !== "stepProducts") return () => name;
  return ([subject]) => `${store_name}.${(subject as { readonly step: string }).step}`;
}

function observeMethod(
  nameOf: (args: readonly unknown[]) => string,
  method: Method,
  tell: TellCall,
): Method {
  return async (...args) => {
    const call = nameOf(args);
    const started = performance.now();
    let ok = false;
    try {
      const result = await method(...args);
      ok = true;
      return result;
    } finally {
      tell({ call, ok, duration_ms: performance.now() - started });
    }
  };
}

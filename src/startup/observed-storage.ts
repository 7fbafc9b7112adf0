import type { PaymentOutcome, SessionOutcome, StorageCall } from "../http/observer.ts";
import type { AuditAuthor } from "../rules/audit-records.ts";
import type { Partition } from "../rules/records.ts";
import type { StepSubject } from "../storage/step-store.ts";
import type { Storage } from "../storage/types.ts";

/** These listeners are told of the calls of a storage. None of them may throw. */
export interface StorageListeners {
  storageCall(call: StorageCall): void;
  session(session: SessionOutcome): void;
  payment(payment: PaymentOutcome): void;
}

const storeNames = [
  "access",
  "catalog",
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

/**
 * Makes a storage that tells the listeners of each call of its stores, and of the
 * outcomes of steps on sessions and payments. Every part of a storefront writes
 * through it.
 */
export function observeStorage(storage: Storage, listeners: StorageListeners): Storage {
  const observed = new Map<string, object>();

  return new Proxy(storage, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      // The writes of an actor's calls are told like any other write.
      if (name === "audited")
        return (author: AuditAuthor) => observeStorage(target.audited(author), listeners);
      if (typeof value === "function") return value.bind(target);
      if (typeof name === "symbol" || !isStoreName(name)) return value;

      const known = observed.get(name) ?? observeStore(name, value as object, listeners);
      observed.set(name, known);
      return known;
    },
  });
}

function observeStore<Store extends object>(
  store_name: string,
  store: Store,
  listeners: StorageListeners,
): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name === "symbol") return value;
      return observeMethod(callNames(store_name, name), value.bind(target), listeners);
    },
  });
}

/** Names a call by its store and method. A step has a name of its own. */
function callNames(store_name: string, method: string): (args: readonly unknown[]) => string {
  const name = `${store_name}.${method}`;
  if (method !== "step") return () => name;
  return ([subject]) => `${store_name}.${(subject as StepSubject).step}`;
}

function observeMethod(
  nameOf: (args: readonly unknown[]) => string,
  method: Method,
  listeners: StorageListeners,
): Method {
  return async (...args) => {
    const call = nameOf(args);
    const started = performance.now();
    let ok = false;
    try {
      const result = await method(...args);
      ok = true;
      tellOutcome(call, args, result, listeners);
      return result;
    } finally {
      listeners.storageCall({ call, ok, duration_ms: performance.now() - started });
    }
  };
}

/** All results of a step on an order have these fields. */
interface StepResult {
  readonly outcome?: string;
  readonly order?: { readonly session_id: string | null; readonly status: string };
  readonly attempt?: { readonly gateway: string } | null;
}

/** This stands for the gateway in payments that the host's own code took. */
const takenByHost = "host";

function tellOutcome(
  call: string,
  args: readonly unknown[],
  result: unknown,
  { session, payment }: StorageListeners,
): void {
  const { outcome, order, attempt } = (result ?? {}) as StepResult;
  const of = args[0] as Partition;
  if (outcome === undefined) return;
  const { store_id, livemode } = of;

  if (call === "checkout.createSession" && outcome === "created")
    session({ outcome: "created", store_id, livemode });

  const changed = resultOf(call, outcome, order?.status);
  if (changed === null) return;
  if (order?.session_id && (changed === "paid" || changed === "failed"))
    session({ outcome: changed, store_id, livemode });
  if (call === "orders.applyPayment" || call === "orders.completeSession")
    payment({ gateway: attempt?.gateway ?? takenByHost, outcome: changed, store_id, livemode });
}

type Changed = PaymentOutcome["outcome"];

/** Gives what the call changed. It is null when there is nothing to tell. */
function resultOf(call: string, outcome: string, status: string | undefined): Changed | null {
  switch (call) {
    case "orders.applyPayment":
    case "orders.completeSession":
      return paymentOutcomes.find((known) => known === outcome) ?? null;
    // A session whose total is zero is paid at its submission.
    case "orders.submitSession":
      return outcome === "submitted" && status === "paid" ? "paid" : null;
    case "orders.closeSession":
      return outcome === "closed" ? "failed" : null;
    case "orders.failOrder":
      return outcome === "failed" ? "failed" : null;
    default:
      return null;
  }
}

const paymentOutcomes = ["paid", "failed", "pending", "duplicate", "mismatch"] as const;

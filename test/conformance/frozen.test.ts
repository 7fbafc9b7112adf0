import assert from "node:assert/strict";
import { describe, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { runStorageCase, storageSuite } from "vitrine/testing";

/** Freezes a value and all that it holds. */
function frozen<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (ArrayBuffer.isView(value)) return value;
  Object.freeze(value);
  if (value instanceof Map || value instanceof Set) for (const entry of value) frozen(entry);
  for (const field of Object.values(value)) frozen(field);
  return value;
}

/**
 * Every step of this storage decides three times, over what cannot be changed, as after
 * two failed commits. The last decision is written: it is that of the first call, where
 * deciding changes nothing.
 */
function retryingStorage(): Storage {
  const inner = memoryStorage();
  const retried =
    <Found, Decision>(decide: (found: Found) => Decision) =>
    (found: Found): Decision => {
      frozen(found);
      const first = decide(found);
      assert.deepEqual(shown(decide(found)), shown(first));
      return decide(found);
    };

  const orders = Object.create(inner.orders) as Storage["orders"];
  orders.step = (subject, decide) => inner.orders.step(frozen(subject), retried(decide));
  const checkout = Object.create(inner.checkout) as Storage["checkout"];
  checkout.step = (subject, decide) => inner.checkout.step(frozen(subject), retried(decide));
  return {
    ...inner,
    orders,
    checkout,
    records: {
      step: (subject, decide) => inner.records.step(frozen(subject), retried(decide)),
      stepProducts: (subject, decide) =>
        inner.records.stepProducts(frozen(subject), retried(decide)),
    },
  };
}

/** The decision as data: an event's function is called with the number of an order. */
const shown = (decision: unknown): string =>
  JSON.stringify(decision, (_name, value: unknown) =>
    typeof value === "function" ? value(7) : value,
  ) ?? "undefined";

describe("a step that decides again decides the same, and changes nothing that it was given", () => {
  test.each(storageSuite)("$name", async (storageCase) => {
    const storage = retryingStorage();
    await runStorageCase(storageCase, { storage, assert });
    await storage.close();
  });
});

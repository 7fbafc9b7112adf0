import { isApiError } from "../../src/contract/errors.ts";
import { memoryStorage } from "../../src/memory/memory-storage.ts";
import { createOrigins, createReturnUrls } from "../../src/owner/addresses.ts";
import { createAlerts } from "../../src/owner/alerts.ts";
import { createCategories } from "../../src/owner/catalog/categories.ts";
import { createCoupons } from "../../src/owner/catalog/coupons.ts";
import { createPaymentMethods } from "../../src/owner/catalog/payment-methods.ts";
import { createProducts } from "../../src/owner/catalog/products.ts";
import type { OwnerContext } from "../../src/owner/context.ts";
import { createKeys } from "../../src/owner/keys.ts";
import { createStores } from "../../src/owner/stores.ts";

export type Bench = ReturnType<typeof createBench>;

/** The owner's services on memory storage, with a clock and ids that count up. */
export function createBench() {
  const storage = memoryStorage();
  const changed: string[] = [];
  let ids = 0;
  let now = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  const ctx = {
    storage,
    customerPageUrl: null,
    filesUrl: null,
    now: () => now,
    clock: { of: async () => ({ now, offset: 0 }) },
    newId: (kind) => `${kind}_${String(++ids).padStart(26, "0")}`,
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    changed: (store_id) => void changed.push(store_id),
    doTestWork: async () => {},
    due: () => {},
    endpointChanged: () => {},
    forgetErased: async () => async () => {},
    flushRequestLog: async () => {},
    flushKeyUses: async () => {},
  } satisfies Omit<OwnerContext, "transport" | "keyRing">;
  // The services under test use neither; endpoints and deliveries have tests of their own.
  const owner = { ...ctx, transport: null } as unknown as OwnerContext;
  return {
    storage,
    changed,
    advance(ms: number): void {
      now += ms;
    },
    stores: createStores(owner),
    keys: createKeys(owner),
    origins: createOrigins(owner),
    returnUrls: createReturnUrls(owner),
    products: createProducts(owner),
    categories: createCategories(owner),
    paymentMethods: createPaymentMethods(owner),
    coupons: createCoupons(owner),
    alerts: createAlerts(owner),
  };
}

export async function createShop(bench: Bench): Promise<string> {
  const store = await bench.stores.create({ name: "Loja Açaí", currency: "BRL" });
  return store.id;
}

export interface Refusal {
  readonly code: string;
  readonly param: string | null;
  readonly message: string;
}

/** Gives the error that a call was refused with; any error but an ApiError fails the test. */
export async function refusalOf(call: () => Promise<unknown>): Promise<Refusal> {
  try {
    await call();
  } catch (error) {
    if (!isApiError(error)) throw error;
    return { code: error.code, param: error.param, message: error.message };
  }
  throw new Error("The call was not refused.");
}

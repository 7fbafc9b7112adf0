import type { PrivacyStore } from "../../../src/storage/privacy-store.ts";
import type { SqlEngine } from "./engine/engine.ts";
import { eraseCustomer } from "./erase-customer.ts";
import { wipeTestData } from "./wipe-test-data.ts";

/** Both run rarely and read through all rows of the store, each in one transaction. */
export const sqlPrivacy = (engine: SqlEngine): PrivacyStore => ({
  eraseCustomer: (store_id, customer_id) =>
    engine.write(() => eraseCustomer(engine, { store_id, customer_id })),
  wipeTestData: (store_id) => engine.write(() => wipeTestData(engine, store_id)),
});

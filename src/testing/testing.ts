/** `vitrine/testing`: a shop for your own tests, and the conformance suite for your own storage. */
export type { Assert, CaseContext, StorageCase } from "./conformance/case.ts";
export { runStorageCase } from "./conformance/run.ts";
export { storageSuite } from "./conformance/suite.ts";
export { createTestShop } from "./harness.ts";
export type { TestShop, TestShopOptions } from "./harness-types.ts";

/** `vitrine/testing`: the conformance suite for a storage of your own. */
export type { Assert, CaseContext, StorageCase } from "./conformance/case.ts";
export { storageSuite } from "./conformance/suite.ts";

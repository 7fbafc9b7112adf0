import { withoutClock } from "../clock/test-clock.ts";
import type { StoreRecord } from "../records.ts";

/** The most categories of a store, and the most payment methods. */
export const maxRowsPerStore = 1_000;

/**
 * Tells whether the stored record is no longer the one that the owner's change was
 * made over.
 */
export const isStale = (stored: object | undefined, before: object | undefined): boolean =>
  before !== undefined && JSON.stringify(stored) !== JSON.stringify(before);

/**
 * Tells whether a store is no longer the one that the change was decided on. Its catalog version,
 * its clock and its archive do not count.
 */
export const isStoreStale = (stored: StoreRecord, before: StoreRecord | undefined): boolean =>
  before !== undefined &&
  isStale({ ...withoutWork(stored), catalog_version: before.catalog_version }, withoutWork(before));

function withoutWork({ archive: _moved, ...store }: StoreRecord): StoreRecord {
  return withoutClock(store);
}

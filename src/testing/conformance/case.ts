import type { IdKind } from "../../domain/ids.ts";
import type { Storage } from "../../storage/types.ts";

/** The cases need these assertions. `node:assert/strict` has them, and any runner can. */
export interface Assert {
  equal(actual: unknown, expected: unknown, message?: string): void;
  deepEqual(actual: unknown, expected: unknown, message?: string): void;
  ok(value: unknown, message?: string): void;
}

/** Each case of the storage suite gets these values. */
export interface CaseContext {
  /** A storage without rows, with its schema migrated. */
  readonly storage: Storage;
  readonly clock: { now(): number; advance(ms: number): void };
  newId(kind: IdKind): string;
  readonly assert: Assert;
}

/**
 * One rule of the storage port. A correct storage passes every case, each on a
 * fresh instance.
 */
export interface StorageCase {
  readonly name: string;
  run(context: CaseContext): Promise<void>;
}

/** Starts `count` works at the same time and waits for all of them. */
export const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

import { expect, test } from "vitest";
import {
  isQueryAborted,
  isTransient,
  isUnavailable,
} from "../../adapters/storage/sql/engine/failures.ts";

/** An error as node:sqlite throws it. */
const nodeError = (errcode: number): Error =>
  Object.assign(new Error("text"), { code: "ERR_SQLITE_ERROR", errcode });

test("node:sqlite's numbers are read as SQLite's codes, the extended ones too", () => {
  const [busy, busyRecovery, full, readonlyDatabase, unique] = [5, 261, 13, 8, 2067].map(nodeError);

  expect([busy, busyRecovery, full].map(isTransient)).toEqual([true, true, false]);
  expect([full, readonlyDatabase, unique].map(isUnavailable)).toEqual([true, true, false]);
  expect(isTransient(unique)).toBe(false);
});

test("a closed handle of node:sqlite is known by its words", () => {
  for (const message of ["database is not open", "statement has been finalized"])
    expect(isQueryAborted(new Error(message))).toBe(true);
});

import { maxOffsetMs } from "#core/rules/clock/test-clock.ts";
import type { Migration } from "../../migration.ts";

/** The test mode alone can be ahead: live mode has no column for it. */
const statements: readonly string[] = [
  `alter table {stores} add column test_offset bigint not null default 0
    check (test_offset between 0 and ${maxOffsetMs})`,
];

/**
 * Adds how far an owner has turned the clock of a store's test mode. An older process writes
 * test rows at the real time, so a clock is turned once all processes know it.
 */
export const migration22: Migration = {
  id: 22,
  name: "test clocks",
  compatible_from: 1,
  statements: { postgres: statements, sqlite: statements },
};

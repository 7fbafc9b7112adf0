import { CompiledQuery } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createExecute } from "../../adapters/storage/sql/engine/sqlite/sqlite-database.ts";
import {
  type SqliteWrites,
  sqliteWrites,
} from "../../adapters/storage/sql/engine/sqlite/sqlite-writes.ts";
import { openSqlite } from "../support/open-sqlite.ts";

const busyMs = 12;

let turn = 0;
let counting: NodeJS.Immediate | undefined;
const countTurns = (): void => {
  turn += 1;
  counting = setImmediate(countTurns);
};
beforeEach(countTurns);
afterEach(() => clearImmediate(counting));

/** Opens a database with a table of numbers. */
function openNumbers() {
  const database = openSqlite(":memory:");
  database.exec("create table numbers (number integer not null)");
  const writes = sqliteWrites({ database, execute: createExecute(database), ownsHandle: true });
  const insert = (number: number | null): CompiledQuery =>
    CompiledQuery.raw("insert into numbers values (?)", [number]);
  const ranByTurn = new Map<number, number>();

  /** Writes a number, and holds the processor for at least some time. */
  const add = (number: number | null, write: SqliteWrites["write"] = writes.write) =>
    write(function* () {
      const begun = performance.now();
      while (performance.now() - begun < busyMs);
      ranByTurn.set(turn, (ranByTurn.get(turn) ?? 0) + 1);
      yield insert(number);
      return number;
    });
  const numbers = (): unknown[] =>
    database.prepare("select number from numbers order by rowid").pluck().all();
  return { writes, add, numbers, ranByTurn };
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test("a burst of writes is worked off over many turns, in its order", async () => {
  const { add, numbers, ranByTurn } = openNumbers();
  const wanted = upTo(30);

  expect(await Promise.all(wanted.map((number) => add(number)))).toEqual(wanted);

  expect(numbers()).toEqual(wanted);
  expect(Math.max(...ranByTurn.values())).toBeLessThanOrEqual(4);
});

test("a write that fails in a burst is rolled back alone", async () => {
  const { add, numbers } = openNumbers();

  const settled = await Promise.allSettled(
    upTo(20).map((number) => add(number % 5 === 3 ? null : number)),
  );

  const failed = settled.flatMap(({ status }, number) => (status === "rejected" ? [number] : []));
  expect(failed).toEqual([3, 8, 13, 18]);
  expect(numbers()).toEqual(upTo(20).filter((number) => number % 5 !== 3));
});

test("relaxed writes that never end do not hold back a write that waits for the disk", async () => {
  const { add, writes } = openNumbers();
  let ended = false;
  let relaxed = 0;
  const goOn = async (): Promise<void> => {
    while (!ended && relaxed < 300) {
      relaxed += 1;
      await add(relaxed, writes.writeRelaxed);
    }
  };
  const streams = upTo(6).map(goOn);

  await add(0);
  ended = true;
  await Promise.all(streams);

  expect(relaxed).toBeLessThan(60);
});

import type { Partition } from "../../rules/records.ts";
import type { CaseContext } from "./case.ts";
import { partition } from "./record-fixtures.ts";

/** Reads a whole list by pages of two rows; `placeOf` gives what `after` takes. */
export async function readByTwos<Row, Place>(
  read: (page: { readonly after?: Place; readonly limit: number }) => Promise<readonly Row[]>,
  placeOf: (row: Row) => Place,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await read({ limit: 2, ...(last === undefined ? {} : { after: placeOf(last) }) });
    rows.push(...page);
    if (page.length < 2) return rows;
  }
}

/** These are another store's partition, and the same store's other mode: neither sees a row. */
export const foreignPartitions: readonly Partition[] = [
  { ...partition, store_id: "str_B" },
  { ...partition, livemode: true },
];

/** Gives the rows that each foreign partition sees. */
export const seenElsewhere = (
  read: (partition: Partition) => Promise<readonly unknown[]>,
): Promise<readonly (readonly unknown[])[]> => Promise.all(foreignPartitions.map(read));

/** Does the work `count` times, with a second of the case's clock before each turn. */
export async function everySecond<T>(
  { clock }: CaseContext,
  count: number,
  work: (index: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index += 1) {
    clock.advance(1_000);
    results.push(await work(index));
  }
  return results;
}

import type { ImportedRecords, RowFault } from "vitrine/owner";
import { recordLines } from "../../frame/table-lines.ts";
import type { ImportFormat } from "./formats.ts";
import type { Counts } from "./passes.ts";
import type { Refusals } from "./refusals.ts";

export const countsOf = ({ complete, missing_kept, ...counts }: ImportedRecords): Counts => counts;

/** Counts the rows, and the products that the file lacks. */
export const rowsOf = ({
  created = 0,
  updated = 0,
  unchanged = 0,
  refused = 0,
  deactivated = 0,
}: Partial<Counts>): number => created + updated + unchanged + refused + deactivated;

export const isAsPlanned = (plan: ImportedRecords, imported: ImportedRecords): boolean =>
  (Object.keys(countsOf(plan)) as (keyof Counts)[]).every((name) => plan[name] === imported[name]);

/** Tells whether all rows were taken, and `missing` was followed where it was asked for. */
export const isWhole = ({ refused, complete, missing_kept }: ImportedRecords): boolean =>
  refused === 0 && complete && missing_kept === null;

/** Says what a file would change, with the first rows that are refused. */
export function planLines(
  plan: ImportedRecords,
  refusals: Refusals,
  format: ImportFormat,
): readonly string[] {
  return [
    `The plan (${format}):`,
    ...recordLines(countsOf(plan)),
    ...faultLines("Refused", refusals.refused, plan.refused),
    ...faultLines("Left out of products", refusals.notes, refusals.noted()),
    ...(plan.complete ? [] : ["The rest of the file is not read."]),
    ...(plan.missing_kept === null ? [] : [keptReasons[plan.missing_kept]]),
  ];
}

const keptReasons = {
  refused: "No product becomes a draft: a refused row may be about any of them.",
  incomplete: "No product becomes a draft: the file is not read to its end.",
  empty: "No product becomes a draft: the file has none at all.",
} as const;

function faultLines(title: string, faults: readonly RowFault[], all: number): readonly string[] {
  if (all === 0) return [];
  const more = all - faults.length;
  return [
    "",
    `${title}:`,
    ...faults.map(({ line, column, message }) => {
      const place = column === null ? `line ${line}` : `line ${line}, ${column}`;
      // What stands in a file must not steer the terminal.
      return `  ${place}: ${message}`.replace(/\p{Cc}/gu, " ");
    }),
    ...(more > 0 ? [`  … and ${more} more: --rejects <file> writes all of them.`] : []),
  ];
}

import { type MonthOf, monthsOfOrder } from "../../rules/archive/month.ts";
import type { Partition } from "../../rules/records.ts";
import { type ArchivedOrder, readLine } from "./archived-order.ts";
import {
  type ArchiveFiles,
  type ArchiveManifest,
  folderOf,
  readLines,
  readManifests,
} from "./parts.ts";

/** Names an order by its id or its number. */
export type FoundBy = Partition & ({ readonly order_id: string } | { readonly number: number });

/** Reads an order from the files. Of several files that have it the one written last counts. */
export async function findArchived(
  files: ArchiveFiles,
  wanted: FoundBy,
): Promise<ArchivedOrder | null> {
  const isIt = (order: ArchivedOrder): boolean =>
    "number" in wanted ? order.number === wanted.number : order.id === wanted.order_id;
  // The text is looked for before a line is parsed, which takes most of the time.
  const mark = "number" in wanted ? `"number":${wanted.number},` : `"id":"${wanted.order_id}"`;

  for (const manifest of (await manifestsFor(files, wanted)).sort(newestFirst)) {
    const lines = await readLines(files, manifest);
    const found = lines
      .filter((line) => line.includes(mark))
      .map(readLine)
      .find(isIt);
    if (found) return found;
  }
  return null;
}

const newestFirst = (one: ArchiveManifest, other: ArchiveManifest): number =>
  one.written_at < other.written_at ? 1 : -1;

async function manifestsFor(files: ArchiveFiles, wanted: FoundBy): Promise<ArchiveManifest[]> {
  if ("number" in wanted) return readManifests(files, folderOf(wanted), wanted.number);
  const months = monthsOfOrder(wanted.order_id);
  const found = await Promise.all(
    months.map((month) => readManifests(files, folderOf(wanted, month))),
  );
  return found.flat();
}

/** Reads all orders of a month, each once, file by file. Throws when a file is not whole. */
export async function* readMonth(
  files: ArchiveFiles,
  month: MonthOf,
): AsyncGenerator<ArchivedOrder> {
  const manifests = await readManifests(files, folderOf(month, month.month));
  const seen = new Set<string>();
  for (const manifest of manifests.sort(newestFirst))
    for (const line of await readLines(files, manifest)) {
      const order = readLine(line);
      if (!seen.has(order.id)) yield order;
      seen.add(order.id);
    }
}

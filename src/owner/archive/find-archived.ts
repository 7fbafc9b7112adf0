import { monthsOfOrder } from "../../rules/archive/month.ts";
import type { Partition } from "../../rules/records.ts";
import { type ArchivedOrder, readLine } from "./archived-order.ts";
import {
  type ArchiveFiles,
  type ArchiveManifest,
  folderOf,
  listManifests,
  readLines,
  readManifest,
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
  const names: string[] = [];
  if ("number" in wanted)
    names.push(...(await listManifests(files, folderOf(wanted), wanted.number)));
  else
    for (const month of monthsOfOrder(wanted.order_id))
      names.push(...(await listManifests(files, folderOf(wanted, month))));

  const manifests: ArchiveManifest[] = [];
  for (const name of names) manifests.push(await readManifest(files, name));
  return manifests;
}

/** Reads all orders of a month, each once, file by file. Throws when a file is not whole. */
export async function* readMonth(
  files: ArchiveFiles,
  month: Partition & { readonly month: string },
): AsyncGenerator<ArchivedOrder> {
  const manifests: ArchiveManifest[] = [];
  for (const name of await listManifests(files, folderOf(month, month.month)))
    manifests.push(await readManifest(files, name));

  const seen = new Set<string>();
  for (const manifest of manifests.sort(newestFirst))
    for (const line of await readLines(files, manifest)) {
      const order = readLine(line);
      if (!seen.has(order.id)) yield order;
      seen.add(order.id);
    }
}

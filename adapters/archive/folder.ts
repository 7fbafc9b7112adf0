import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { ArchiveFiles } from "#core/owner/archive/parts.ts";

export type { ArchiveFiles, ArchiveManifest } from "#core/owner/archive/parts.ts";

/**
 * Keeps the files of an archive in a folder. A file is written beside its name, flushed to the
 * disk and then renamed, so that a crash leaves it whole or not at all.
 */
export function archiveFolder(folder: string): ArchiveFiles {
  if (typeof folder !== "string" || folder === "")
    throw new TypeError("archiveFolder takes the path of a folder, such as /srv/archive.");

  let swept: Promise<void> | undefined;
  /** Removes leftovers at the first write: only killed processes leave any. */
  const sweep = (): Promise<void> => {
    swept ??= removeLeftovers(folder).catch((error: unknown) => {
      swept = undefined;
      throw error;
    });
    return swept;
  };

  return {
    async list(prefix) {
      const below = prefix.slice(0, prefix.lastIndexOf("/") + 1);
      const found = await namesBelow(folder, placeOf(folder, below));
      return found.filter((name) => name.startsWith(prefix) && !name.endsWith(unfinished));
    },
    read: (name) => unlessMissing(readFile(placeOf(folder, name)), null),
    async write(name, bytes) {
      const place = placeOf(folder, name);
      await mkdir(dirname(place), { recursive: true });
      await sweep();
      await writeWhole(place, bytes);
      await flushFolders(resolve(folder), dirname(resolve(place)));
    },
    remove: (name) => rm(placeOf(folder, name), { force: true }),
  };
}

const unfinished = ".unfinished";
/** The age from which an unfinished file counts as a leftover. */
const leftoverMs = 3_600_000;

/** Gives the path of a name. Throws for one that leads out of the folder. */
function placeOf(folder: string, name: string): string {
  const place = join(folder, name);
  const inside = relative(folder, place);
  if (inside === ".." || inside.startsWith(`..${sep}`))
    throw new TypeError(`The name ${name} leads out of the archive's folder.`);
  return place;
}

async function namesBelow(folder: string, below: string): Promise<readonly string[]> {
  const entries = await unlessMissing(readdir(below, { recursive: true, withFileTypes: true }), []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/**
 * Removes the unfinished files of killed processes. If a writer has waited so long that its own
 * file is removed too, its rename fails, and no order is removed from the database.
 */
async function removeLeftovers(folder: string): Promise<void> {
  const oldest = Date.now() - leftoverMs;
  for (const name of await namesBelow(folder, folder)) {
    if (!name.endsWith(unfinished)) continue;
    const place = placeOf(folder, name);
    const found = await unlessMissing(stat(place), null);
    if (found && found.mtimeMs < oldest) await rm(place, { force: true });
  }
}

async function writeWhole(place: string, bytes: Uint8Array): Promise<void> {
  const beside = `${place}${unfinished}`;
  try {
    await writeDurably(beside, bytes);
    await rename(beside, place);
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
}

async function writeDurably(place: string, bytes: Uint8Array): Promise<void> {
  const file = await open(place, "w");
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The errors of a folder that belongs to somebody else, or that cannot be flushed. */
const foreign = new Set<string | undefined>(["EACCES", "EPERM", "EROFS", "EINVAL"]);

/**
 * Flushes the folder of a new name and all folders above it. A name outlives a crash only when its
 * folder was flushed, and a process that was killed may have made any of these folders.
 */
async function flushFolders(top: string, folder: string): Promise<void> {
  // Windows opens no folders, and keeps names without it.
  if (process.platform === "win32") return;

  for (let place = folder; ; place = dirname(place)) {
    try {
      const handle = await open(place, "r");
      await handle.sync().finally(() => handle.close());
    } catch (error) {
      const isAbove = place.length < top.length;
      if (!isAbove || !foreign.has((error as NodeJS.ErrnoException).code)) throw error;
    }
    if (dirname(place) === place) return;
  }
}

async function unlessMissing<Found, None>(work: Promise<Found>, none: None): Promise<Found | None> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return none;
    throw error;
  }
}

import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

/** The folder of what the command line keeps between its runs. */
export const stateFolder = (folder: string): string => join(folder, ".vitrine");

/** Reads a file of the state. Gives null for one that is not there. */
export function readState<T>(folder: string, name: string): T | null {
  try {
    return JSON.parse(readFileSync(join(stateFolder(folder), name), "utf8")) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Writes a file of the state, readable by its user alone: it holds secrets. A kill
 * leaves the old file or the new one, never a part.
 */
export function writeState(folder: string, name: string, value: unknown): void {
  const base = stateFolder(folder);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  // Git must not take the secrets, whatever the project's own .gitignore says.
  if (!existsSync(join(base, ".gitignore"))) writeWhole(base, ".gitignore", "*\n");
  writeWhole(base, name, `${JSON.stringify(value, null, 2)}\n`);
}

function writeWhole(base: string, name: string, text: string): void {
  // A kill leaves the draft behind. No kind of file begins like it, so nobody reads it as one.
  const draft = join(base, `.draft-${process.pid}-${name}`);
  const handle = openSync(draft, "w", 0o600);
  try {
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, join(base, name));
}

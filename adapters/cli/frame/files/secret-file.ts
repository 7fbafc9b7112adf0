import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { end } from "../exit.ts";
import type { Input } from "../input.ts";

/** The new file that `--secret-to` names. */
export interface SecretFile {
  readonly name: string;
  write(secret: string): void;
}

/**
 * Makes the file of `--secret-to` before the work, which would be done already where the file
 * cannot be made. Removes it again when the work fails. Gives the work null without the option.
 */
export async function withSecretFile<T>(
  input: Input,
  work: (file: SecretFile | null) => Promise<T>,
): Promise<T> {
  const name = input.text("secret-to");
  if (name === undefined) return work(null);

  const handle = openNew(name);
  try {
    return await work({ name, write: (secret) => void writeSync(handle, `${secret}\n`) });
  } catch (error) {
    rmSync(name, { force: true });
    throw error;
  } finally {
    closeSync(handle);
  }
}

function openNew(name: string): number {
  try {
    // `wx`: a file that another could have made before could be read by them.
    return openSync(name, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "exists already: name a new file" : `cannot be made: ${code}`;
    return end("usage", `The file ${name} of --secret-to ${why}. Nothing was done.`);
  }
}

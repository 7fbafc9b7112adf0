import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { end } from "../exit.ts";

/**
 * Writes the file that `--out` names. A fault or a kill leaves the old file or the new one, never
 * a part. A link, `/dev/stdout` and whatever else is no plain file is written directly.
 */
export function writeOut(name: string, text: string): void {
  const found = lstatSync(name, { throwIfNoEntry: false });
  const draft = !found || found.isFile() ? `${name}.unfinished` : name;
  try {
    writeFileSync(draft, text, found ? { mode: found.mode } : {});
    if (draft !== name) renameSync(draft, name);
  } catch (error) {
    if (draft !== name) rmSync(draft, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    const isFull = ["ENOSPC", "EDQUOT", "EFBIG"].includes(code ?? "");
    const remedy = isFull ? "make room" : "name another file";
    end(isFull ? "failed" : "usage", `--out ${name} cannot be written: ${remedy} (${message}).`);
  }
}

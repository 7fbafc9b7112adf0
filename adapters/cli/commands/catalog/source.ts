import type { Stats } from "node:fs";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { end } from "../../frame/command.ts";

/** A file that is read several times, each time from its beginning. */
export interface Source {
  readonly stats: Stats;
  open(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Opens a file, or `-` for stdin. What cannot be read twice, such as a pipe, is copied to the disk
 * first.
 */
export async function openSource(name: string, signal: AbortSignal): Promise<Source> {
  if (name === "-") return spool(process.stdin, signal);

  const file = await open(name).catch((error: NodeJS.ErrnoException) =>
    end("usage", `${name} cannot be opened: ${error.code ?? error.message}.`),
  );
  const stats = await file.stat();
  if (stats.isFile()) return sourceOf(file);
  if (stats.isDirectory()) {
    await file.close();
    end("usage", `${name} is a folder, not a file.`);
  }
  return spool(file.createReadStream(), signal);
}

// One handle for plan and import: a file that is replaced in between is not read half and half.
const sourceOf = async (file: FileHandle): Promise<Source> => ({
  stats: await file.stat(),
  open: () => readFrom(file),
  close: () => file.close(),
});

/** Reads by positions, so that a pass that ends early leaves the handle as it was. */
async function* readFrom(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}

const size = 65_536;

/** Copies a stream to a file that only its handle reaches, so that no kill leaves it behind. */
async function spool(input: Readable, signal: AbortSignal): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-import-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = await open(join(folder, "stdin"), "wx+", 0o600);
  // Windows keeps the folder of a file that is open, so it is removed when the file is closed.
  await remove().catch(() => {});
  const close = async (): Promise<void> => {
    await file.close();
    await remove();
  };

  try {
    for await (const part of addAbortSignal(signal, input)) await file.writeFile(part);
    return { ...(await sourceOf(file)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { archiveFolder } from "../../adapters/archive/folder.ts";

const flushed = vi.hoisted(() => [] as string[]);
const disk = vi.hoisted(() => ({ full: false }));

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const open: typeof real.open = async (path, flags) => {
    const file = await real.open(path, flags);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      if (disk.full) throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      flushed.push(resolve(String(path)));
      await sync();
    };
    return file;
  };
  return { ...real, open };
});

const bytes = new Uint8Array([1]);
const name = "str_1/live/2024-03.jsonl";

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vitrine-folder-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  flushed.length = 0;
  return folder;
}

const filesIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);

test.skipIf(process.platform === "win32")(
  "a folder that an archive makes is flushed with the folders above it",
  async () => {
    const outer = await emptyFolder();
    const top = join(outer, "new", "archive");

    await archiveFolder(top).write(name, bytes);

    expect(flushed).toEqual(
      expect.arrayContaining([join(top, "str_1", "live"), top, dirname(top), outer]),
    );
  },
);

test.skipIf(process.platform === "win32")(
  "so are folders that a killed process has made and not flushed",
  async () => {
    const outer = await emptyFolder();
    const top = join(outer, "new", "archive");
    await mkdir(join(top, "str_1", "live"), { recursive: true });

    await archiveFolder(top).write(name, bytes);

    expect(flushed).toEqual(expect.arrayContaining([top, dirname(top), outer]));
  },
);

test("a write that fails leaves no file", async () => {
  const top = await emptyFolder();
  disk.full = true;
  onTestFinished(() => {
    disk.full = false;
  });

  await expect(archiveFolder(top).write(name, bytes)).rejects.toThrow("no space left");

  expect(await filesIn(top)).toEqual([]);
});

test("a write removes what a killed process has left, and nothing that may be in work", async () => {
  const top = await emptyFolder();
  const folder = join(top, "str_1", "live");
  await mkdir(folder, { recursive: true });
  for (const left of ["old.jsonl.unfinished", "new.jsonl.unfinished", "old.jsonl"])
    await writeFile(join(folder, left), bytes);
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const left of ["old.jsonl.unfinished", "old.jsonl"])
    await utimes(join(folder, left), longAgo, longAgo);

  await archiveFolder(top).write("str_2/live/2024-03.jsonl", bytes);

  expect([...(await filesIn(top))].sort()).toEqual([
    "2024-03.jsonl",
    "new.jsonl.unfinished",
    "old.jsonl",
  ]);
});

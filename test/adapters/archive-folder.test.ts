import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { archiveFolder } from "../../adapters/archive/folder.ts";

const flushed = vi.hoisted(() => [] as string[]);

vi.mock("node:fs/promises", async (original) => {
  const real = await original<typeof import("node:fs/promises")>();
  const open: typeof real.open = async (path, flags) => {
    const file = await real.open(path, flags);
    const sync = file.sync.bind(file);
    file.sync = async () => {
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

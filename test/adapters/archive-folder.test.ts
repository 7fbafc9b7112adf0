import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
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

test.skipIf(process.platform === "win32")(
  "a folder that an archive makes is flushed with the folders above it",
  async () => {
    const outer = await mkdtemp(join(tmpdir(), "vitrine-folder-"));
    const top = join(outer, "new", "archive");
    try {
      await archiveFolder(top).write("str_1/live/2024-03.jsonl", new Uint8Array([1]));

      expect(flushed).toEqual(
        expect.arrayContaining([join(top, "str_1", "live"), top, dirname(top), outer]),
      );
    } finally {
      await rm(outer, { recursive: true, force: true });
    }
  },
);

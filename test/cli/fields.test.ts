import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { readFields } from "../../adapters/cli/commands/shop/fields.ts";
import { openApi } from "../../adapters/cli/frame/api.ts";
import { CommandError } from "../../adapters/cli/frame/exit.ts";
import { readInput } from "../../adapters/cli/frame/input.ts";
import type { Screen } from "../../adapters/cli/frame/screen.ts";

test("a file that cannot be read is a fault of the command line, and is named", async () => {
  for (const [file, code] of [
    ["/nowhere/fields.json", "ENOENT"],
    [tmpdir(), "EISDIR"],
  ] as const) {
    const read = () => readFields(readInput({ from: file }, []), []);
    expect(read).toThrow(new CommandError("usage", `${file} cannot be read: ${code}.`));
  }
  const input = readInput({ keyFile: tmpdir() }, []);
  await expect(openApi("http://localhost:1/v1", input, {} as Screen)).rejects.toThrow(
    `${tmpdir()} is not a file.`,
  );
});

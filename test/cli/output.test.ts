import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { newProject } from "./project.ts";

const cli = "node node_modules/vitrine/dist/cli.js";

function shell(folder: string, line: string): Promise<{ code: number; err: string }> {
  return new Promise((done) => {
    execFile("bash", ["-c", line], { cwd: folder }, (error, _out, err) =>
      done({ code: Number(error?.code ?? 0), err }),
    );
  });
}

test.skipIf(!existsSync("/dev/full"))(
  "output that does not fit on a disk is a failure",
  async () => {
    const { folder } = await newProject();
    const { code, err } = await shell(folder, `${cli} openapi > /dev/full`);
    expect(code).toBe(1);
    expect(err).toMatch(/^The output is not whole: .*ENOSPC/m);
    expect(err).not.toContain("    at ");
  },
);

test("a reader that leaves, such as head, is none", async () => {
  const { folder } = await newProject();
  const line = `${cli} openapi | head -c 1; exit \${PIPESTATUS[0]}`;
  expect(await shell(folder, line)).toEqual({ code: 0, err: "" });
});

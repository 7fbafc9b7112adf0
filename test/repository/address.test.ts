import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const script = join(root, ".ci/address.mjs");

function freshPackage() {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-address-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "package.json");
  cpSync(join(root, "package.json"), file);

  return {
    run: (...args: string[]) => {
      const { status, stderr } = spawnSync(process.execPath, [script, ...args], {
        cwd: folder,
        encoding: "utf8",
      });
      return { status, stderr };
    },
    read: () => JSON.parse(readFileSync(file, "utf8")),
  };
}

test("repository, homepage and bugs come from one address, and nothing else changes", () => {
  const { run, read } = freshPackage();
  const before = read();

  expect(run("https://github.com/acme/vitrine.git/")).toEqual({ status: 0, stderr: "" });
  expect(read()).toEqual({
    ...before,
    homepage: "https://github.com/acme/vitrine#readme",
    bugs: "https://github.com/acme/vitrine/issues",
    repository: { type: "git", url: "git+https://github.com/acme/vitrine.git" },
  });
  expect(run()).toEqual({ status: 0, stderr: "" });

  expect(run("https://git.example.com/tools/shop/vitrine").status).toBe(0);
  expect(read().bugs).toBe("https://git.example.com/tools/shop/vitrine/issues");
  expect(run().status).toBe(0);
});

test("what is no address is refused, and nothing is written", () => {
  const { run, read } = freshPackage();
  const before = read();

  for (const wrong of ["acme/vitrine", "http://github.com/a/b", "https://github.com/acme"])
    expect(run(wrong)).toEqual({
      status: 1,
      stderr: `${wrong} is not the https address of a repository: https://github.com/you/vitrine\n`,
    });
  expect(read()).toEqual(before);
});

import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newProject, sqliteHost } from "./project.ts";

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
    for (const words of ["sql sqlite", "openapi"]) {
      const full = await shell(folder, `${cli} ${words} --out /dev/full`);
      expect([full.code, full.err]).toEqual([
        1,
        expect.stringMatching(/^Error: --out .*make room/),
      ]);
      expect(full.err).not.toContain("    at ");
    }
  },
);

test("the file of --out is the old one or the new one, and a wrong name is told", async () => {
  const project = await newProject();
  project.write("old.sql", "old");
  const out = join(project.folder, "old.sql");
  const cut = await shell(project.folder, `ulimit -f 8; ${cli} sql sqlite --out old.sql`);
  expect([cut.code, cut.err]).toEqual([1, expect.stringMatching(/old.sql .*make room/)]);
  for (const name of ["none/new.sql", "node_modules"]) {
    const { code, err } = await project.run(`sql sqlite --out ${name}`);
    expect([code, err]).toEqual([2, expect.stringContaining(`--out ${name} cannot be written`)]);
    expect(err).not.toContain("    at ");
  }
  expect(readFileSync(out, "utf8")).toBe("old");
  await project.run("sql sqlite --out new.sql");
  expect(readFileSync(join(project.folder, "new.sql"), "utf8")).toMatch(/-- Migration 1:/);
  expect(readdirSync(project.folder).join()).not.toContain("unfinished");
});

test("a reader that leaves, such as head, is none", async () => {
  const { folder } = await newProject();
  const line = `${cli} openapi | head -c 1; exit \${PIPESTATUS[0]}`;
  expect(await shell(folder, line)).toEqual({ code: 0, err: "" });
});

test("work goes on to its end when the reader of its notes and results has left", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  project.write("tea.csv", "name,slug,price,currency\nTea,tea,100,BRL\n");
  const into = (words: string) =>
    shell(project.folder, `${cli} ${words} 2>&1 | true; exit \${PIPESTATUS[0]}`);
  expect(await into("migrate --yes")).toEqual({ code: 0, err: "" });
  await project.json("stores create name=Loja slug=loja currency=BRL --yes");
  expect(await into("import tea.csv --yes")).toEqual({ code: 0, err: "" });
  const { data } = await project.json("products list");
  expect(data.map(({ slug }: { slug: string }) => slug)).toEqual(["tea"]);
});

test("a drain and maintenance that a signal has stopped end with 130", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  project.write("vitrine.config.mjs", `${sqliteHost}process.emit("SIGTERM");\n`);
  for (const words of ["drain --yes", "maintain --yes"]) {
    const { code, out } = await project.run(words);
    expect([words, code, out]).toEqual([words, 130, expect.stringContaining("aborted")]);
  }
});

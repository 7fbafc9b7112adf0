import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newProject, sqliteHost } from "./project.ts";

const hook = "url=https://shop.example.com/hook";

test("a secret whose file cannot be made is refused before anything is created", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  project.write("taken.txt", "mine\n");
  const refuse = async (words: string, text: string): Promise<void> => {
    const { code, out, err } = await project.run(words);
    expect([words, code, out, err]).toEqual([words, 2, "", expect.stringContaining(text)]);
    expect(err).not.toMatch(/EEXIST|\n +at /);
  };

  await refuse("seed --secret-to taken.txt", "taken.txt of --secret-to exists already");
  await refuse("seed --secret-to nowhere/key.txt", "nowhere/key.txt of --secret-to cannot be made");
  expect((await project.json("stores list")).data).toEqual([]);
  await project.json("seed --secret-to key.txt");
  const before = (await project.json("keys list")).data.length;
  for (const words of ["keys create kind=secret", `endpoints create ${hook}`])
    await refuse(`${words} --secret-to taken.txt`, "exists already");
  expect((await project.json("keys list")).data).toHaveLength(before);
  expect((await project.json("endpoints list")).data).toEqual([]);
  expect(readFileSync(join(project.folder, "taken.txt"), "utf8")).toBe("mine\n");
}, 120_000);

test("the file of a secret is removed again when nothing was created", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  expect((await project.run("seed --currency nothing --secret-to key.txt")).code).not.toBe(0);
  await project.json("seed");
  expect((await project.run("keys create kind=gold --secret-to key.txt")).code).not.toBe(0);
  expect((await project.run("endpoints create url=foo --secret-to key.txt")).code).not.toBe(0);
  expect(existsSync(join(project.folder, "key.txt"))).toBe(false);
  const target = "http://127.0.0.1:9";
  const env = { TRANSPORT: JSON.stringify({ allowTargets: [target] }) };
  await project.json(`endpoints create url=${target}/hook --secret-to key.txt`, { env });
  expect(readFileSync(join(project.folder, "key.txt"), "utf8")).toMatch(/^whsec_/);
}, 120_000);

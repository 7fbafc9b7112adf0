import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, ".github/workflows");
const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(join(folder, name), "utf8"),
}));

test.each(workflows)("$name runs scripts that exist, with the least rights", ({ text }) => {
  for (const [, script = ""] of text.matchAll(/npm run ([\w:-]+)/g))
    expect(Object.keys(manifest.scripts)).toContain(script);
  for (const [, script = ""] of text.matchAll(/\bnode ((?:test|\.ci)\/\S+)/g))
    expect(existsSync(join(root, script)), script).toBe(true);
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  expect(text).not.toMatch(/secrets\./);
});

test("CI builds and runs the container of each starter", () => {
  expect(workflows.find(({ name }) => name === "ci.yml")?.text).toMatch(
    /^ {6}- run: node test\/package\/containers\.mjs$/m,
  );
  const starters = readdirSync(join(root, "examples")).filter((name) =>
    name.startsWith("starter-"),
  );
  const tried = readFileSync(join(root, "test/package/sell.mjs"), "utf8");
  for (const starter of starters) {
    expect(existsSync(join(root, "examples", starter, "Dockerfile")), starter).toBe(true);
    expect(tried).toMatch(new RegExp(`^  ${starter.slice("starter-".length)}: \\{`, "m"));
  }
});

test("the changelog knows the version that would be released", () => {
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain(`## ${manifest.version}`);
});

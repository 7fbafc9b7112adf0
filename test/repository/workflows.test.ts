import { readdirSync, readFileSync } from "node:fs";
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
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
  expect(text).not.toMatch(/secrets\./);
});

test("the changelog knows the version that would be released", () => {
  expect(readFileSync(join(root, "CHANGELOG.md"), "utf8")).toContain(`## ${manifest.version}`);
});

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "vitrine/client";
import { commands } from "../../adapters/cli/commands/table.ts";
import { freePort } from "../support/free-port.ts";
import { cliDocument } from "./cli-doc.ts";
import { newProject, type Project } from "./project.ts";

/** Runs what a reader types, and writes down what the terminal shows. */
function recorder(project: Project) {
  const lines: string[] = [];
  return {
    lines,
    async type(words: string): Promise<string> {
      const { out, err, code } = await project.run(words);
      expect([words, code, err]).toEqual([words, 0, err]);
      lines.push(`$ npx vitrine ${words}`, `${err}${out}`.trimEnd(), "");
      return out;
    },
  };
}

/** Ids and keys are new in each run, and their first letters say what they are. */
const withoutIds = (text: string): string =>
  text
    .replace(/\b(str|prod|evt|ord|sub)_[0-9A-Z]{26}/g, "$1_…")
    .replace(/\bhk_test_(pub|sec)_\w+/g, "hk_test_$1_…");

test("docs/cli.md is made from the table, and its transcript is of this run: `-u` writes it", async () => {
  const project = await newProject();
  const port = await freePort();
  const { lines, type } = recorder(project);
  await type(`init --host express --port ${port} --no-install`);
  lines.splice(0, 2, "$ npx vitrine@latest init --host express", lines[1] ?? "");
  expect(statSync(join(project.folder, ".env")).mode & 0o777).toBe(0o600);
  expect(readFileSync(join(project.folder, ".gitignore"), "utf8")).toContain(".env\n");

  const host = project.node("server.mjs");
  await host.wrote("/v1/docs");
  const seeded = await type("seed");
  await type("trigger order.paid");

  // The host that init wrote sells through its API too.
  const key = /publishable_key +(\S+)/.exec(seeded)?.[1] ?? "";
  const client = createClient({ baseUrl: `http://localhost:${port}/v1`, key, browser: false });
  const { data } = await client.listProducts();
  const back = `http://localhost:${port}/thanks`;
  const { data: session } = await client.createCheckoutSession({
    items: [{ product_id: data[0]?.id ?? "", quantity: 1 }],
    success_url: back,
    cancel_url: back,
  });
  expect((await fetch(session.checkout_url)).status).toBe(200);

  const transcript = withoutIds(lines.join("\n").trimEnd()).replaceAll(String(port), "3000");
  await expect(cliDocument(transcript)).toMatchFileSnapshot("../../docs/cli.md");
});

test("every command has a name, a summary that is a sentence, and an example that calls it", () => {
  for (const { name, summary, example } of commands) {
    expect(summary).toMatch(/^[A-Z].*\.$/);
    expect(example).toMatch(new RegExp(`vitrine(@latest)? ${name}( |$)`));
  }
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length);
});

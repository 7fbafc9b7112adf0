import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const filesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));

const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /(?:^|\n)\s*(?:import|export)\s[^"';]*?from\s+"([^"]+)"|import\("([^"]+)"\)|(?:^|\n)import\s+"([^"]+)"/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? "");

describe("ARCHITECTURE 1, the folder rule", () => {
  test.each(filesIn("src"))("%s imports zod, jose and files of src alone", (file) => {
    for (const name of importsOf(file)) {
      if (!name.startsWith(".")) expect(["zod", "jose"], `${file} imports ${name}`).toContain(name);
      else
        expect(
          relative(root, resolve(root, dirname(file), name)),
          `${file} imports ${name}`,
        ).toMatch(/^src\//);
    }
    expect(readFileSync(join(root, file), "utf8")).not.toMatch(
      /\brequire\(|\bBuffer\b|from "node:|URL\.canParse\(/,
    );
  });

  test("the verifier imports nothing but its signature and types", () => {
    const source = readFileSync(join(root, "src/webhooks/verify.ts"), "utf8");
    expect(
      [...source.matchAll(/^(?:import|export) (?!type)[^;]*from "([^"]+)"/gm)].map(
        (match) => match[1],
      ),
    ).toEqual(["./signature.ts", "./signature.ts"].slice(0, 2));
    expect(importsOf("src/webhooks/signature.ts")).toEqual([]);
  });

  test("the client imports its own files and the path table at run time, and types besides", () => {
    for (const file of filesIn("src/client")) {
      const source = readFileSync(join(root, file), "utf8");
      for (const [, words = "", name] of source.matchAll(
        /^(?:import|export) ([^;"]*?)from "([^"]+)"/gm,
      )) {
        const values = words
          .replace(/[{}]/g, "")
          .split(",")
          .some((word) => word.trim() !== "" && !/^type\b/.test(word.trim()));
        if (values && !words.startsWith("type "))
          expect(["../contract/paths.ts", "./error.ts", "./send.ts"], file).toContain(name);
      }
    }
    expect(importsOf("src/contract/paths.ts")).toEqual([]);
  });

  test("no clock and no chance below storefront.ts, but in the verifier's default and the client's backoff", () => {
    const allowed = new Set(["src/storefront.ts", "src/webhooks/verify.ts", "src/client/send.ts"]);
    for (const file of filesIn("src").filter((name) => !allowed.has(name))) {
      expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(
        /Date\.now\(\)|Math\.random\(\)|randomUUID\(|new Date\(\)/,
      );
    }
  });

  test("files stay small and about one thing", () => {
    const long = [...filesIn("src"), ...filesIn("adapters")].filter(
      (file) => readFileSync(join(root, file), "utf8").split("\n").length > 400,
    );
    expect(long).toEqual([]);
  });
});

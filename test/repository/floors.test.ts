import { describe, expect, test } from "vitest";
import { circlesAmong } from "./circles.ts";
import { type SourceFile, sourceFilesIn } from "./source-files.ts";

const src = sourceFilesIn("src");
const adapters = sourceFilesIn("adapters");
const everyFile = [...src, ...adapters];

// Each list names folders and files, the lowest first. A file imports from its own floor and from
// the floors below it.
const srcFloors = [
  "src/contract",
  "src/domain",
  "src/input",
  "src/rules",
  "src/storage",
  "src/steps",
  "src/rows",
  "src/memory",
  "src/webhooks",
  "src/owner",
  "src/imports",
  "src/payments",
  "src/operations",
  "src/docs",
  "src/http",
  "src/pages",
  "src/mail",
  "src/dashboard",
  "src/agents",
  "src/options.ts",
  "src/startup",
  "src/storefront.ts",
  "src/index.ts",
  "src/public",
  "src/testing",
];
const sqlFloors = [
  "adapters/storage/sql/schema",
  "adapters/storage/sql/engine",
  "adapters/storage/sql/access",
  "adapters/storage/sql/catalog",
  "adapters/storage/sql/checkout",
  "adapters/storage/sql/webhooks",
  "adapters/storage/sql/orders",
  "adapters/storage/sql/lists",
  "adapters/storage/sql/back-office",
  "adapters/storage/sql/erasure",
  "adapters/storage/sql",
  "adapters/storage/sql/citus",
];
const adapterFloors = [
  "src",
  "adapters/end-of-turn.ts",
  "adapters/unknown-options.ts",
  "adapters/storage/sql",
  "adapters/storage",
  "adapters/transport",
  "adapters/payments",
  "adapters/http",
  "adapters/webhooks",
  "adapters/relay",
  "adapters/otel.ts",
  "adapters/archive",
  "adapters/cli",
];

const isIn = (path: string, floor: string): boolean =>
  path === floor || path.startsWith(`${floor}/`);

/** The longest name wins, so that a folder can stand on another floor than its parent's files. */
const floorOf = (path: string, floors: readonly string[]): number => {
  const matching = floors.filter((floor) => isIn(path, floor));
  const nearest = matching.sort((a, b) => b.length - a.length)[0];
  return nearest === undefined ? -1 : floors.indexOf(nearest);
};

/** Lists the imports that lead from a floor to one above it. */
function upwardImports(files: readonly SourceFile[], floors: readonly string[]): string[] {
  return files.flatMap(({ path, importedFiles }) => {
    const own = floorOf(path, floors);
    return importedFiles
      .filter((imported) => floorOf(imported, floors) > own)
      .map((imported) => `${path} imports ${imported}`);
  });
}

const client = (file: SourceFile): boolean => isIn(file.path, "src/client");

/** Compares as text, so that a failure prints every offender. */
const expectNone = (offenders: readonly string[]): void =>
  expect([...offenders].sort().join("\n")).toBe("");

test("a doc comment says what a thing is, or begins with its verb, and never with It", () => {
  const begins = /\/\*\*\s*(?:\*\s*)?It\b[^\n]*/g;
  expectNone(
    everyFile.flatMap(({ path, text }) =>
      (text.match(begins) ?? []).map((line) => `${path}: ${line}`),
    ),
  );
});

test("a folder has at most 16 files, beside its folders", () => {
  const sizes = new Map<string, number>();
  for (const { path } of everyFile) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  expectNone([...sizes].filter(([, files]) => files > 16).map(([folder]) => folder));
});

describe("imports go down only", () => {
  test("every file stands on a floor", () => {
    const lost = [
      ...src.filter((file) => !client(file) && floorOf(file.path, srcFloors) < 0),
      ...adapters.filter(({ path }) => floorOf(path, adapterFloors) < 0),
    ];
    expectNone(lost.map(({ path }) => path));
  });

  test("between the floors of src", () => {
    const files = src.filter((file) => !client(file));
    expectNone(upwardImports(files, srcFloors));
  });

  test("between the floors of the SQL storage", () => {
    const files = adapters.filter(({ path }) => isIn(path, "adapters/storage/sql"));
    expectNone(upwardImports(files, sqlFloors));
  });

  test("between the floors of adapters", () => {
    expectNone(upwardImports(adapters, adapterFloors));
  });

  test("the client imports contract and nothing else of src", () => {
    const faults = src
      .filter(client)
      .flatMap(({ path, importedFiles }) =>
        importedFiles
          .filter((imported) => !isIn(imported, "src/client") && !isIn(imported, "src/contract"))
          .map((imported) => `${path} imports ${imported}`),
      );
    expectNone(faults);
  });

  test("no files import each other in a circle, types included", () => {
    expectNone(circlesAmong(everyFile).map((circle) => circle.join(" ↔ ")));
  });
});

describe("src runs wherever the Web's globals exist", () => {
  // lean-qr is plain JavaScript on the Web's globals too, and only the checkout page draws codes.
  const packagesOf = ({ path }: SourceFile): readonly string[] =>
    path === "src/pages/parts/qr-code.ts" ? ["lean-qr"] : ["zod", "jose"];

  // It holds programs for the reader's own server as texts, and runs none of them.
  const programTexts = "src/docs/receivers.ts";

  test.each(src)("$path imports zod, jose (the QR code lean-qr) and files of src alone", (file) => {
    for (const name of file.imports)
      if (!name.startsWith(".")) expect(packagesOf(file)).toContain(name);

    for (const imported of file.importedFiles) expect(imported).toMatch(/^src\//);

    const nodeOnly = /\brequire\(|\bBuffer\b|from "node:|URL\.canParse\(/;
    if (file.path !== programTexts) expect(file.text).not.toMatch(nodeOnly);
  });

  test("the storage port is types without code", () => {
    const runtime = /^export (?:async )?(?:function|const|let|class|\{|\*)|^import (?!type )/m;
    const faults = src.filter(({ path, text }) => isIn(path, "src/storage") && runtime.test(text));
    expectNone(faults.map(({ path }) => path));
  });

  test("only storefront, verifier, client, agents' endpoint and the page's script read the clock or chance", () => {
    const allowed = [
      "src/storefront.ts",
      "src/webhooks/verify.ts",
      "src/client/send.ts",
      "src/agents/mcp/mcp.ts",
      "src/agents/shared/options.ts",
      "src/agents/ucp/ucp.ts",
      "src/mail/mail.ts",
      "src/pages/parts/browser-script.ts",
      "src/dashboard/style/browser-script.ts",
      programTexts,
    ];
    const impure = /Date\.now\(\)|Math\.random\(\)|randomUUID\(|new Date\(\)/;
    const faults = src.filter(({ path, text }) => !allowed.includes(path) && impure.test(text));
    expectNone(faults.map(({ path }) => path));
  });
});

describe("two files that users load alone stay small", () => {
  const fileAt = (path: string): SourceFile => {
    const file = src.find((each) => each.path === path);
    if (!file) throw new Error(`${path} does not exist.`);
    return file;
  };

  test("the verifier imports nothing at run time but its signature", () => {
    const { text } = fileAt("src/webhooks/verify.ts");
    const values = [...text.matchAll(/^(?:import|export) (?!type)[^;]*from "([^"]+)"/gm)];
    expect(values.map(([, name]) => name)).toEqual(["./signature.ts", "./signature.ts"]);
    expect(fileAt("src/webhooks/signature.ts").imports).toEqual([]);
  });

  test("the client imports nothing at run time but its own files and the table of paths", () => {
    for (const { path, text } of src.filter(client)) {
      for (const [, words = "", name] of text.matchAll(
        /^(?:import|export) ([^;"]*?)from "([^"]+)"/gm,
      )) {
        if (words.startsWith("type ") || !namesValue(words)) continue;
        expect(["../contract/client-paths.ts", "./error.ts", "./send.ts"], path).toContain(name);
      }
    }
    expect(fileAt("src/contract/client-paths.ts").imports).toEqual([]);
  });

  const namesValue = (words: string): boolean =>
    words
      .replace(/[{}]/g, "")
      .split(",")
      .some((word) => word.trim() !== "" && !/^type\b/.test(word.trim()));
});

describe("a reader can take in each file", () => {
  const functions = everyFile.flatMap((file) => file.functions);
  const linesOf = ({ text }: SourceFile): readonly string[] => text.trimEnd().split("\n");

  test("at most 300 lines a file", () => {
    const long = everyFile.filter((file) => linesOf(file).length > 300);
    expectNone(long.map((file) => `${file.path}: ${linesOf(file).length} lines`));
  });

  test("at most 100 columns a line", () => {
    const wide = everyFile.flatMap((file) =>
      linesOf(file).flatMap((line, index) =>
        line.length > 100 ? [`${file.path}:${index + 1}: ${line.length} columns`] : [],
      ),
    );
    expectNone(wide);
  });

  test("at most 80 lines a function", () => {
    const long = functions.filter(({ lines }) => lines > 80);
    expectNone(long.map(({ place, lines }) => `${place}: ${lines} lines`));
  });

  test("at most 4 parameters a function", () => {
    const many = functions.filter(({ parameters }) => parameters > 4);
    expectNone(many.map(({ place, parameters }) => `${place}: ${parameters} parameters`));
  });
});

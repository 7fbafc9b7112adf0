import { expect, test } from "vitest";
import { helpText, readOptions, UsageError } from "../../examples/demo/options.ts";

test("without options: port 4242, SQLite in the git-ignored folder, limits as in production", () => {
  expect(readOptions([])).toEqual({
    port: 4242,
    database: ".data/demo.sqlite",
    catalog: null,
    storage: "sqlite",
    storageIsNamed: false,
    gateway: "sandbox",
    checkoutLimit: undefined,
    json: false,
    agent: null,
    history: true,
  });
});

test("every option is read", () => {
  const argv = [
    "--port",
    "0",
    "--database",
    ":memory:",
    "--catalog",
    "my.csv",
    "--storage",
    "memory",
    "--limits",
    "checkout=500",
    "--gateway",
    "stripe",
    "--json",
    "--agent",
    "ucp",
    "--history",
    "off",
  ];
  expect(readOptions(argv)).toEqual({
    port: 0,
    database: ":memory:",
    catalog: "my.csv",
    storage: "memory",
    storageIsNamed: true,
    checkoutLimit: 500,
    gateway: "stripe",
    json: true,
    agent: "ucp",
    history: false,
  });
});

test("--limits off takes the limits away", () => {
  expect(readOptions(["--limits=off"])?.checkoutLimit).toBeNull();
});

test("--help names every option, and wins over the others", () => {
  expect(readOptions(["--help", "--port", "nonsense"])).toBeNull();
  for (const option of [
    "--port",
    "--agent",
    "--database",
    "--catalog",
    "--storage",
    "--limits",
    "--gateway",
    "--json",
    "--history",
    "--help",
  ])
    expect(helpText).toContain(option);
});

const wrong: readonly (readonly [argv: readonly string[], named: string])[] = [
  [["--port", "http"], "--port"],
  [["--port", "65536"], "--port"],
  [["--port=-1"], "--port"],
  [["--port", "1e3"], "--port"],
  [["--port", ""], "--port"],
  [["--port"], "--port"],
  [["--storage", "postgres"], "--storage"],
  [["--database", ""], "--database"],
  [["--catalog", ""], "--catalog"],
  [["--limits", "on"], "--limits"],
  [["--limits", "checkout=0"], "--limits"],
  [["--limits", "checkout=-1"], "--limits"],
  [["--limits", "checkout=1.5"], "--limits"],
  [["--json=yes"], "--json"],
  [["--colour"], "--colour"],
  [["shop.csv"], "shop.csv"],
  [["My Shop.csv"], "My Shop.csv"],
];
test.each(wrong)("%j is refused in one sentence that names it, with exit code 2", (argv, named) => {
  const read = (): unknown => readOptions(argv);
  expect(read).toThrow(UsageError);
  expect(read).toThrow(
    expect.objectContaining({ exitCode: 2, message: expect.stringContaining(named) }),
  );
  expect(read).toThrow(/^[^.\n]*(?:\.(?=\S)[^.\n]*)*\.$/);
});

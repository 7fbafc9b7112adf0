import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import type { Json } from "./project.ts";
import { newProject, sqliteHost } from "./project.ts";
import { postgresHost } from "./served-shop.ts";

const errorOf = (err: string): Json => JSON.parse(err.trimEnd().split("\n").at(-1) ?? "").error;

test("a database that is away is named with its cause and its mend, not by every check, and ends with 4", async () => {
  const project = await newProject();
  const port = await freePort();
  const env = { DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/shop`, SCHEMA: "shop" };
  project.write("vitrine.config.mjs", postgresHost);
  const { code, out } = await project.run("doctor --json", { env });
  expect(code).toBe(4);
  const checks: Json[] = JSON.parse(out).checks;
  const found = checks.filter(({ findings }) => /looked/.test(findings[0]?.fault));
  // The storage asks in words of its own, and some checks ask the pool itself.
  expect(found).toHaveLength(2);
  const [{ check, findings }] = found as [Json];
  expect(findings[0].fault).toContain(`ECONNREFUSED 127.0.0.1:${port}`);
  expect(findings[0].mend).toMatch(/^Start the database/);
  const later = checks.filter(({ needs }) => needs?.includes(`${check} says why`));
  expect(later.length).toBeGreaterThan(2);

  const absent = new URL(await postgresUrl());
  absent.pathname = "/no_such_database";
  const told = await project.run("doctor", { env: { ...env, DATABASE_URL: absent.href } });
  expect(told.out.match(/Create the database/g)).toHaveLength(1);
  expect(told.out).not.toContain("findings above");

  const list = await project.run("stores list", { env });
  expect([list.code, list.err]).toEqual([4, expect.stringContaining("ECONNREFUSED")]);
  expect(list.err).not.toMatch(/\n +at /);
}, 120_000);

test("without tables a command says to run vitrine migrate, once and without a stack", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  for (const words of ["stores list", "seed", "drain --yes"]) {
    const { code, err } = await project.run(words);
    expect([words, code]).toEqual([words, 1]);
    expect(err.match(/vitrine migrate/g)).toHaveLength(1);
    expect(err).not.toMatch(/storefront\.migrate|\n +at /);
  }
}, 60_000);

test("a SQLite file that cannot be opened is told with its cause, once", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  for (const DATABASE of ["package.json", "none/shop.sqlite"]) {
    const { code, err } = await project.run("stores list", { env: { DATABASE } });
    const reason = /cannot be opened: (.*)\.\n/.exec(err)?.[1] ?? "no reason";
    expect([code, err.split(reason).length]).toEqual([2, 2]);
  }
});

test("what PostgreSQL refuses is told without a stack, and how it is mended", async () => {
  const url = new URL(await postgresUrl());
  const role = `weak_${process.pid}`;
  const pool = new pg.Pool({ connectionString: url.href });
  onTestFinished(async () => {
    await pool.query(`drop role if exists ${role}`);
    await pool.end();
  });
  await pool.query(`create role ${role} login password 'weak'`);
  const as = (user: string, path = url.pathname) =>
    Object.assign(new URL(url), { username: user, password: "weak", pathname: path }).href;

  const project = await newProject();
  project.write("vitrine.config.mjs", postgresHost);
  const refusals: readonly (readonly [url: string, mend: RegExp])[] = [
    [as(role), /permission denied .*Grant its role the rights/],
    [as("no_such_role"), /no_such_role.*Correct the user/],
    [as(role, "/no_such_database"), /no_such_database.*Create the database/],
  ];
  for (const [DATABASE_URL, mend] of refusals) {
    const { code, err } = await project.run("migrate --yes", {
      env: { DATABASE_URL, SCHEMA: `shop_${role}` },
    });
    expect([code, err]).toEqual([1, expect.stringMatching(mend)]);
    expect(err).not.toMatch(/\n +at /);
  }
}, 120_000);

test("wrong values end with 2 and name their option, and nothing looks begun", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  await project.json("seed");
  const wrong: readonly (readonly [words: string, text: string])[] = [
    ["products create name=Tea price:=-1 currency=BRL", "Parameter: price"],
    ["products create name=Tea price:=1 currency=BRL colour=red", "colour is not a known field"],
    ["products list --limit 500", "--limit must be a whole number from 1 to 100."],
    ["archive --folder files --month 2026-13", "--month must be a month such as 2024-03."],
    ["clock --by 500d", "--by"],
    ["origins add localhost:5173", "write http://localhost:5173"],
    ["origins add foo", "such as https://shop.example.com"],
    ["return-urls add foo", "such as https://shop.example.com/thanks"],
    ["return-urls add shop.example.com/thanks", "write https://shop.example.com/thanks"],
    ["origins add https://shop.example.com/page", "The origin must be"],
    ["endpoints create url=foo", "Parameter: url"],
  ];
  for (const [words, text] of wrong) {
    const { code, out, err } = await project.run(words);
    expect([words, code, out, err]).toEqual([words, 2, "", expect.stringContaining(text)]);
    expect(err).not.toMatch(/on its way|ms must|name=Coffee|\n +at /);
  }
  expect((await project.run("clock --by 500d")).err).toContain("400 days");
}, 120_000);

test("an error names a parameter as it was typed", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  await project.json("seed");
  const unknown = "we_01M8JH07NYTZY6TXCTKW25TZ8H";
  const named: readonly (readonly [words: string, name: string])[] = [
    [`replay --since 1h --endpoint ${unknown}`, "--endpoint"],
    ["replay --since 1h --endpoint X", "--endpoint"],
    ["replay --since 1h --until 2h --endpoint X", "--endpoint"],
    ["endpoints enable X", "<id>"],
    ["endpoints rotate-secret X", "<id>"],
    ["endpoints delete X", "<id>"],
    ["events show X", "<id>"],
    ["events resend X", "<id>"],
    ["products show X", "<id>"],
    [`deliveries list --endpoint ${"x".repeat(300)}`, "--endpoint"],
    ["deliveries list --after X", "--after"],
    ["sql postgres --schema Shop", "--schema"],
    ["sql sqlite --table-prefix 9", "--table-prefix"],
  ];
  const told: unknown[] = [];
  for (const [words] of named) {
    const { err } = await project.run(`${words} --json`);
    const [, param = null] = /"param":"([^"]+)"/.exec(err) ?? [];
    told.push([words, param]);
  }
  expect(told).toEqual(named);
  const { err } = await project.run("replay --since 1h --endpoint X");
  expect(err).toContain("\nParameter: --endpoint\n");
}, 240_000);

test("with --json an error is one object of JSON, the last line of stderr", async () => {
  const project = await newProject();
  const told = async (words: string) => {
    const { code, out, err } = await project.run(`${words} --json`);
    expect([words, out]).toEqual([words, ""]);
    return { exit: code, ...errorOf(err) };
  };
  const usage = { exit: 2, type: "invalid_request_error", code: "usage", param: null };
  const unknown = await told("stores list --wrong");
  expect(unknown).toEqual({
    ...usage,
    message: expect.stringMatching(/^unknown option '--wrong'/),
  });
  expect(await told("migrate")).toEqual({ ...usage, message: expect.stringContaining("needs") });
  const refused = await told(`migrate hk_test_sec_${"a".repeat(32)}`);
  expect(refused).toMatchObject({ exit: 3, code: "refused" });

  project.write("vitrine.config.mjs", sqliteHost);
  expect(await told("stores list")).toEqual({
    exit: 1,
    type: "api_error",
    code: "failed",
    message: expect.stringContaining("vitrine migrate"),
    param: null,
  });
  await project.json("migrate --yes");
  await project.json("seed");
  const price = await told("products create name=Tea price:=-1 currency=BRL");
  expect(price).toMatchObject({
    ...usage,
    code: "parameter_invalid",
    param: "price",
    message: expect.stringMatching(/^price /),
  });
  const absent = await told("products show prod_01M8JH07NYTZY6TXCTKW25TZ8H");
  expect(absent).toMatchObject({ exit: 1, code: "resource_not_found" });
}, 120_000);

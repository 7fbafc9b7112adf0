import pg from "pg";
import { expect, test } from "vitest";
import { freePort } from "../support/free-port.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { findings } from "./doctor-findings.ts";
import { type Json, newProject, sqliteHost } from "./project.ts";

const expressHost = `import express from "express";
import { toExpress } from "vitrine/express";
import { storefront } from "./vitrine.config.mjs";
const app = express();
app.set("trust proxy", true);
app.use(express.json());
app.use(toExpress(storefront));
app.listen(process.env.PORT, () => console.log("listening"));
`;

test("the doctor finds thirteen faults that were planted in a host on SQLite", async () => {
  const project = await newProject();
  const port = await freePort();
  const closed = await freePort();
  const env = {
    PUBLIC_URL: `http://localhost:${port}`,
    TRANSPORT: JSON.stringify({ allowTargets: [`http://127.0.0.1:${closed}`] }),
  };
  project.write("vitrine.config.mjs", sqliteHost);
  expect(await findings(project, "doctor", env)).toContain("schema");

  await project.json("migrate --yes", { env });
  const seeded = await project.json("seed", { env });
  const fields = `url=http://127.0.0.1:${closed}/hook`;
  await project.json(`endpoints create ${fields}`, { env });
  const past = "now: () => Date.now() - 172_800_000,\n  requestLog";
  project.write("past.config.mjs", sqliteHost.replace("requestLog", past));
  await project.json("trigger order.paid", { env });
  await project.json("drain --yes", { env });
  await project.json("trigger order.created --config past.config.mjs", { env });

  project.write("host.mjs", expressHost);
  const host = project.node("host.mjs", { ...env, PORT: String(port) });
  await host.wrote("listening");
  const faulty = sqliteHost
    .replace("requestLog", "now: () => Date.now() + 10_000,\n  requestLog")
    .replace(/transport: .*/, "")
    .replace("fill(7)", "fill(8)");
  project.write("faulty.config.mjs", faulty);
  const keyEnv = { ...env, VITRINE_API_KEY: seeded.secret_key };
  const words = "doctor --config faulty.config.mjs --disk 99999999999";
  expect(await findings(project, words, keyEnv)).toEqual([
    "clock",
    "disk",
    "sealKey",
    "transport",
    "reach",
    "endpoints",
    "queue",
    "maintenance",
    "checkout page",
    "body parser",
    "proxy",
  ]);

  host.process.kill();
  await host.ended;
  expect(await findings(project, "doctor", env)).toContain("mount path");
  // What could not be looked at is no good news: each says what it needs.
  const { checks } = JSON.parse((await project.run("doctor --json", { env })).out);
  const needs = Object.fromEntries(checks.map((each: Json) => [each.check, each.needs]));
  expect(needs).toMatchObject({
    node: null,
    encoding: expect.stringContaining("`pg` pool"),
    "checkout page": expect.stringContaining("running host"),
    "body parser": expect.stringContaining("running host"),
    proxy: expect.stringContaining("secret key of test mode in VITRINE_API_KEY"),
  });
}, 400_000);

test("the doctor finds what a PostgreSQL was set up wrong, and nothing in one that is right", async () => {
  const project = await newProject();
  const url = await postgresUrl();
  const name = `cli_doctor_${process.pid}`;
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(
    `create database ${name} template template0 encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`,
  );
  const wrong = new URL(url);
  wrong.pathname = `/${name}`;
  const settings = "-c search_path=nowhere -c default_transaction_isolation=serializable";
  const program = (pool: string, more = "") => `import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { nodeTransport } from "vitrine/transport";
export const database = new pg.Pool({ connectionString: process.env.DATABASE_URL, ${pool} });
export const close = () => database.end();
${more}
export const storefront = createStorefront({
  storage: postgresStorage(database, { schema: ${more ? "schema" : "undefined"} }),
  docsUrl: "https://docs.example.com", checkout: { baseUrl: "https://pay.example.com" },
  transport: nodeTransport(), gateways: [sandboxGateway()], sealKey: new Uint8Array(32),
});
`;
  project.write("wrong.config.mjs", program(`max: 1, options: "${settings}"`));
  project.write("vitrine.config.mjs", program("max: 4", `export const schema = "${name}";`));
  try {
    const found = await findings(project, "doctor --config wrong.config.mjs", {
      DATABASE_URL: wrong.href,
    });
    expect(found).toEqual(
      expect.arrayContaining(["encoding", "search path", "isolation", "pool size"]),
    );

    await project.json("migrate --yes", { env: { DATABASE_URL: url } });
    // A table of somebody else's, which the planner knows nothing of.
    await admin.query(`create schema ${name}_other`);
    await admin.query(`create table ${name}_other.numbers with (autovacuum_enabled = off)
      as select generate_series(1, 2000)`);
    const counted = `select 1 from pg_stat_user_tables
      where schemaname = '${name}_other' and n_live_tup > 1000`;
    await expect.poll(async () => (await admin.query(counted)).rowCount).toBe(1);
    const right = { DATABASE_URL: url };
    // What migrate warns of, doctor tells too.
    const { out } = await project.run("doctor --json", { env: right });
    const { findings: risks } = JSON.parse(out).checks.find(
      ({ check }: Json) => check === "settings",
    );
    expect(risks.map(({ fault }: Json) => /PostgreSQL's (\w+) is 0/.exec(fault)?.[1])).toEqual([
      "idle_in_transaction_session_timeout",
      "statement_timeout",
    ]);
    const limits = "-c statement_timeout=10s -c idle_in_transaction_session_timeout=30s";
    const limited = `max: 4, options: "${limits}"`;
    project.write("vitrine.config.mjs", program(limited, `export const schema = "${name}";`));
    expect(await findings(project, "doctor", right)).toEqual([]);

    // The mends of what is planted below are an option taken back, and the one word `analyze`.
    const own = `export const schema = "${name}";`;
    project.write("many.config.mjs", program(limited.replace("4", "100_000"), own));
    expect(await findings(project, "doctor --config many.config.mjs", right)).toEqual(["settings"]);
    const late = program(limited, own).replace("docsUrl", "now: () => Date.now() - 5_000, docsUrl");
    project.write("late.config.mjs", late);
    expect(await findings(project, "doctor --config late.config.mjs", right)).toEqual(["clock"]);
    await admin.query(`create table ${name}.numbers with (autovacuum_enabled = off)
      as select generate_series(1, 2000)`);
    const isFound = async () => (await findings(project, "doctor", right)).join();
    await expect.poll(isFound, { timeout: 20_000 }).toBe("statistics");
    await admin.query("analyze");
    await expect.poll(isFound, { timeout: 20_000 }).toBe("");
  } finally {
    await admin.query(`drop schema if exists ${name}_other cascade`);
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`drop schema if exists ${name} cascade`);
    await admin.end();
  }
}, 400_000);

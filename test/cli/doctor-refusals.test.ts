import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { expect, test } from "vitest";
import { openSqlite } from "../support/open-sqlite.ts";
import { postgresUrl } from "../support/postgres-url.ts";
import { findings } from "./doctor-findings.ts";
import { type Json, newProject, sqliteHost } from "./project.ts";

const limits = "-c statement_timeout=10s -c idle_in_transaction_session_timeout=30s";
const schema = `cli_refusals_${process.pid}`;
const config = `import pg from "pg";
import { createStorefront, sandboxGateway } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { nodeTransport } from "vitrine/transport";
export const schema = "${schema}";
const { DATABASE_URL: connectionString, PG_OPTIONS: options = "${limits}" } = process.env;
export const database = new pg.Pool({ connectionString, options, max: 4 });
export const close = () => database.end();
export const storefront = createStorefront({
  storage: postgresStorage(database, { schema }),
  docsUrl: "https://docs.example.com", checkout: { baseUrl: "https://pay.example.com" },
  transport: nodeTransport(), gateways: [sandboxGateway()], sealKey: new Uint8Array(32),
});
`;

test("the doctor says what a database refuses, which the host would meet later", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", config);
  const url = await postgresUrl();
  const env = { DATABASE_URL: url };
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const look = (more = "") =>
    findings(project, "doctor", { ...env, PG_OPTIONS: `${limits} ${more}` });
  try {
    await project.json("migrate --yes", { env });
    expect(await look()).toEqual([]);

    expect(await look("-c default_transaction_read_only=on")).toEqual(["writes"]);

    await admin.query(`create role ${schema}; grant usage on schema ${schema} to ${schema};
      grant select, insert, update, delete on all tables in schema ${schema} to ${schema}`);
    expect(await look(`-c role=${schema}`)).toEqual([]);
    await admin.query(`revoke insert on ${schema}.orders from ${schema}`);
    expect(await look(`-c role=${schema}`)).toEqual(["schema"]);

    await admin.query(`insert into ${schema}.migrations
      (id, name, checksum, applied_at, compatible_from) values (900, 'later', '', 0, 900)`);
    expect(await look()).toEqual(["schema"]);
    await admin.query(`delete from ${schema}.migrations where id = 900`);

    const update = `update pg_index set indisvalid = $1 where indexrelid = $2::regclass`;
    const index = `${schema}.deliveries_due`;
    await admin.query(update, [false, index]);
    expect(await look()).toEqual(["indexes"]);
    await admin.query(`reindex index concurrently ${index}`);
    expect(await look()).toEqual([]);

    // Each mend is followed to the letter; three of these were renamed by a migration.
    const dropped = ["deliveries_due", "deliveries_next", "payment_attempts_by_reference"];
    await admin.query(
      [...dropped, "products_by_sku"].map((name) => `drop index ${schema}.${name};`).join(""),
    );
    expect(await look()).toEqual(["indexes"]);
    const { out } = await project.run("doctor --json", { env });
    const { findings: missing } = JSON.parse(out).checks.find(
      ({ check }: Json) => check === "indexes",
    );
    expect(missing).toHaveLength(4);
    for (const { mend } of missing) await admin.query(mend.replace("Run: ", ""));
    expect(await look()).toEqual([]);
  } finally {
    await admin.query(`drop schema if exists ${schema} cascade`);
    await admin.query(`drop role if exists ${schema}`);
    await admin.end();
  }
}, 200_000);

test("the doctor refuses a SQLite file that the host would refuse at its start", async () => {
  const project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.json("migrate --yes");
  const faultOf = async () => {
    const { checks } = JSON.parse((await project.run("doctor --json")).out);
    const { findings: found } = checks.find(({ check }: Json) => check === "schema");
    return found.map(({ fault }: Json) => fault).join();
  };
  const change = (name: string, sql: string) => {
    const database = openSqlite(join(project.folder, name));
    database.exec(sql);
    database.close();
  };
  expect(await faultOf()).toBe("");
  change(
    "shop.sqlite",
    `insert into migrations (id, name, checksum, applied_at, compatible_from)
     values (900, 'later', '', 0, 900)`,
  );
  expect(await faultOf()).toContain("newer version (migration 900)");
  expect((await project.run("migrate --dry-run")).code).toBe(2);

  change("blog.sqlite", "create table orders (id integer primary key)");
  project.write("vitrine.config.mjs", sqliteHost.replace("shop.sqlite", "blog.sqlite"));
  expect(await faultOf()).toContain("a table orders that is not the package's");
});

test("the doctor ends where PostgreSQL takes connections and never answers", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
  });
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const project = await newProject();
  project.write("vitrine.config.mjs", config);
  const env = { DATABASE_URL: `postgres://shop:hunter2@127.0.0.1:${port}/shop` };
  try {
    const { code, out, err } = await project.run("doctor --json", { env });
    expect(code).toBe(4);
    expect(out + err).not.toContain("hunter2");
    const { checks } = JSON.parse(out);
    const silentChecks = checks.filter((each: Json) => each.findings.length > 0 || !each.looked);
    // None that had to ask the database says that all is well.
    expect(silentChecks.map((each: Json) => each.check)).toEqual(
      expect.arrayContaining(["schema", "writes", "encoding", "sealKey", "reach", "maintenance"]),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
}, 200_000);

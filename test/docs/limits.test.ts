import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { postgresStorage } from "vitrine/postgres";
import { readText } from "../support/markdown.ts";
import { postgresUrl } from "../support/postgres-url.ts";

const guide = readText("docs/operations.md");
const [, limits = ""] = /^```sql\n(alter role shop[\s\S]*?)^```/m.exec(guide) ?? [];
const set = [...limits.matchAll(/^alter role shop set (\w+) = (.+);$/gm)].map(
  ([, name = "", value = ""]) => ({ name, value: value.replaceAll("'", "") }),
);

/** Makes a role with the limits of the guide, and gives a pool of it. */
async function poolOfRole(): Promise<pg.Pool> {
  const url = new URL(await postgresUrl());
  const admin = new pg.Pool({ connectionString: url.href, max: 1 });
  const role = `shop_${process.pid}`;
  await admin.query(`create role ${role} login superuser password 'shop'`);
  await admin.query(limits.replaceAll("role shop", `role ${role}`));
  url.username = role;
  url.password = "shop";
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  onTestFinished(async () => {
    await pool.end();
    await admin.query(`drop owned by ${role} cascade`);
    await admin.query(`drop role ${role}`);
    await admin.end();
  });
  return pool;
}

test("the limits of the guide are those of its table, and a role takes them all", async () => {
  expect(set.length).toBe(limits.trim().split("\n").length);
  const pool = await poolOfRole();
  for (const { name, value } of set) {
    const [, group = name] = /^(tcp_keepalives)_/.exec(name) ?? [];
    const row = guide
      .split("\n")
      .find((line) => line.startsWith("| PostgreSQL") && line.includes(group));
    expect(row, name).toMatch(new RegExp(`\\b${value.replace("s", " s")}\\b`));

    // A connection by a socket file has no keepalives: PostgreSQL shows 0 for them.
    const { rows } = await pool.query("select current_setting($1) as now", [name]);
    if (group === name) expect([name, rows[0].now]).toEqual([name, value]);
  }
});

test("a storage whose role has the limits of the guide names no risk", async () => {
  const pool = await poolOfRole();
  const storage = postgresStorage(pool, { schema: `limits_${process.pid}` });
  await storage.migrate();
  expect(await storage.findRisks?.()).toEqual([]);
  const { rows } = await pool.query("show lock_timeout");
  expect(rows).toEqual([{ lock_timeout: "5s" }]);
});

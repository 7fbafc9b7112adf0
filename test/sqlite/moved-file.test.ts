import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type SqliteDatabase, sqliteStorage } from "vitrine/sqlite";
import { freshFolder } from "../support/demo.ts";
import { openSqlite } from "../support/open-sqlite.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop, type Shop } from "../support/shop.ts";

/** How a host opens the file: the storage does it by the path, or the host has a handle. */
const openings: readonly (readonly [
  name: string,
  open: (file: string) => SqliteDatabase | string,
])[] = [
  ["by its path", (file) => file],
  ["by a handle of the host's", openSqlite],
];

/** What may become of a file that a process has open. */
const accidents: readonly (readonly [name: string, happen: (file: string) => void])[] = [
  ["deleted", (file) => rmSync(file)],
  ["moved away", (file) => renameSync(file, `${file}.moved`)],
  [
    "replaced by a backup",
    (file) => {
      copyFileSync(file, `${file}.backup`);
      renameSync(`${file}.backup`, file);
    },
  ],
];

async function openShop(open: (file: string) => SqliteDatabase | string) {
  const file = join(freshFolder(), "shop.sqlite");
  const database = open(file);
  const storage = sqliteStorage(database);
  onTestFinished(async () => {
    await storage.close();
    if (typeof database !== "string") database.close();
  });
  await storage.migrate();
  return { file, shop: await createShop(storage, { now: Date.now, readyz: true }) };
}

async function askReady({ storefront }: Shop) {
  const reply = await storefront.serve({
    method: "GET",
    target: "/v1/readyz",
    header: () => undefined,
    body: async () => null,
  });
  return { code: reply?.status, ...JSON.parse((await textOf(reply?.body ?? null)) ?? "{}") };
}

const refused = { status: 503, body: { error: { code: "service_unavailable" } } };

describe.each(openings)("a file that is opened %s", (_opening, open) => {
  test.each(accidents)("takes no sale once it is %s, and says why", async (_accident, happen) => {
    const { file, shop } = await openShop(open);
    const bought = await shop.buy();
    expect(bought.status).toBe("paid");
    happen(file);

    expect(await shop.session()).toMatchObject(refused);
    await expect(shop.owner.stores.update(shop.a.id, { name: "B" })).rejects.toMatchObject({
      code: "service_unavailable",
      details: { cause: { message: expect.stringMatching(/^The SQLite file .*shop\.sqlite was/) } },
    });
    expect(await askReady(shop)).toMatchObject({ code: 503, reasons: ["cannot_write"] });
    expect((await shop.owner.stores.retrieve(shop.a.id)).name).toBe("Store A");
  });

  test("goes on selling once it is back at its place", async () => {
    const { file, shop } = await openShop(open);
    renameSync(file, `${file}.moved`);
    expect(await shop.session()).toMatchObject(refused);

    renameSync(`${file}.moved`, file);
    expect((await shop.buy()).status).toBe("paid");
    expect(await askReady(shop)).toMatchObject({ status: "ready" });
  });
});

test("migrate() on a file that was moved away says so", async () => {
  const file = join(freshFolder(), "shop.sqlite");
  const storage = sqliteStorage(file);
  onTestFinished(() => storage.close());
  await storage.migrate();
  renameSync(file, `${file}.moved`);
  await expect(storage.migrate()).rejects.toMatchObject({
    code: "invalid_option",
    message: expect.stringMatching(/was moved, replaced or deleted .* restart the process/),
  });
});

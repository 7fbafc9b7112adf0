import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { ana, openTracedShop, traces, useAs } from "../support/customer-traces.ts";
import { freshFolder } from "../support/demo.ts";

// The audit log keeps the id alone.
const { id: _, ...erasable } = traces;

/** Finds the traces in the bytes of the file and of its write-ahead log. */
function tracesIn(file: string): readonly string[] {
  const bytes = [file, `${file}-wal`]
    .filter(existsSync)
    .map((each) => readFileSync(each, "latin1"));
  return Object.values(erasable).filter((trace) => bytes.some((text) => text.includes(trace)));
}

async function openFile() {
  const file = join(freshFolder(), "shop.sqlite");
  const storage = sqliteStorage(file);
  await storage.migrate();
  const opened = await openTracedShop(storage);
  const { shop } = opened;
  await useAs(opened, (token, more) =>
    shop.storefront.checkout.submit(token, {
      payment_method_id: shop.a.method_id,
      customer: ana,
      ...more,
    }),
  );
  await shop.storefront.drainWebhooks();
  return { ...opened, file };
}

test("an erased customer leaves nothing in the bytes of the file", async () => {
  const { file, shop } = await openFile();
  expect(tracesIn(file)).toEqual(Object.values(erasable));

  expect(await shop.storefront.as("staff").owner.eraseCustomer(shop.a.id, ana.id)).toBe(true);
  expect(tracesIn(file)).toEqual([]);
});

test("what a reader keeps in the log is told by maintenance, and removed once it has ended", async () => {
  const { file, shop } = await openFile();
  const reader = new Database(file, { readonly: true });
  reader.exec("begin");
  reader.prepare("select count(*) from sqlite_master").get();

  expect(await shop.owner.eraseCustomer(shop.a.id, ana.id)).toBe(true);
  expect(tracesIn(file)).not.toEqual([]);
  await shop.storefront.runMaintenance();
  expect(shop.errors.map(String)).toEqual([expect.stringContaining("End that reader")]);

  reader.exec("rollback");
  reader.close();
  shop.errors.length = 0;
  await shop.storefront.runMaintenance();
  expect(shop.errors).toEqual([]);
  expect(tracesIn(file)).toEqual([]);
});

import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { createTestShop, runStorageCase, storageSuite } from "vitrine/testing";
import { filesBelow, readText } from "../support/markdown.ts";
import { mapStorage } from "./map-storage/map-storage.ts";

const files = filesBelow("test/conformance/map-storage");

describe("the storage port on a storage of a third party", () => {
  test.each(storageSuite)("$name", async (storageCase) => {
    await runStorageCase(storageCase, { storage: mapStorage(), assert });
  });

  test("a shop on it sells the last piece once, refunds, and tells the receiver in order", async () => {
    const shop = await createTestShop({ storage: mapStorage() });
    const coffee = await shop.product({ name: "Coffee", price: 3450, stock: 1 });
    const sessions = await Promise.all(
      [1, 2, 3].map(() => shop.checkout([{ product_id: coffee.id, quantity: 1 }])),
    );

    const paid = await Promise.allSettled(sessions.map((session) => shop.pay(session)));
    const [order] = paid.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    expect(paid.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    assert(order);
    expect(await shop.refund(order)).toMatchObject({ status: "refunded" });
    expect(shop.webhooks.map(({ type }) => type)).toEqual([
      "order.created",
      "order.paid",
      "checkout.session.completed",
      "order.refunded",
    ]);
  });

  test("it imports nothing but vitrine/storage", () => {
    const imported = files.flatMap((file) =>
      [...readText(file).matchAll(/from "([^"]*)"/g)].flatMap(([, name = ""]) =>
        /^\.\/[\w-]+\.ts$/.test(name) ? [] : name,
      ),
    );
    expect([...new Set(imported)]).toEqual(["vitrine/storage"]);
  });

  test("docs/storages.md tells how many lines of code it has", () => {
    const [, told] = /has ([\d,]+) lines of code/.exec(readText("docs/storages.md")) ?? [];
    const lines = files.flatMap((file) => codeOf(readText(file)));
    expect(told).toBe(lines.length.toLocaleString("en"));
  });

  test("docs/storages.md names every rule that is exported", async () => {
    const guide = readText("docs/storages.md");
    const rules = Object.keys(await import("vitrine/storage"));
    expect(rules.filter((name) => !guide.includes(`\`${name}`))).toEqual([]);
  });
});

/** Gives the lines of a file that are neither blank nor a comment nor an import. */
const codeOf = (text: string): readonly string[] =>
  text
    .replace(/^import[\s\S]*?;$/gm, "")
    .split("\n")
    .filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line));

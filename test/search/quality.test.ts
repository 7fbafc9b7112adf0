import { describe, expect, test } from "vitest";
import { memoryStorage, type Storage } from "vitrine";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { type Judged, judge, judgedCatalog, precision, queries } from "./judged.ts";

const products = judgedCatalog(10_000);

async function judgeOn(storage: Storage): Promise<readonly Judged[]> {
  const shop = await createShop(storage);
  const key = shop.a.live.pub;
  for (let from = 0; from < products.length; from += 500)
    await shop.owner.products.putMany(shop.a.id, products.slice(from, from + 500));

  return judge(async (text) => {
    const { body } = await shop.get(`/products?search=${encodeURIComponent(text)}`, { key });
    return {
      names: body.data.map(({ name }: { name: string }) => name),
      corrected_to: body.corrected_to ?? null,
    };
  });
}

let inMemory: Promise<readonly Judged[]> | undefined;

describe.each(storages)("judged searches of 10,000 products, on %s", (_name, open) => {
  test("find the right product first, and the same ones on every storage", async () => {
    inMemory ??= judgeOn(memoryStorage());
    const judged = await judgeOn(await open());

    expect(queries.length).toBeGreaterThanOrEqual(200);
    expect(precision(judged)).toBeGreaterThanOrEqual(95);
    expect(precision(judged, "edit")).toBeGreaterThanOrEqual(90);
    expect(judged).toEqual(await inMemory);
  }, 240_000);
});

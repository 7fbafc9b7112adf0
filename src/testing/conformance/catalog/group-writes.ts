import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { reader, sized } from "./group-reader.ts";

/** Checks what a write of products in groups is refused for, with many writers at once. */
export const groupWriteCases: readonly StorageCase[] = [
  {
    name: "a group has different combinations of the same options, and no more than a hundred",
    async run(context) {
      const { assert } = context;
      const { shop } = fixtures(context);
      const { product, put } = reader(context);
      const member = (id: string, value: string, name = "Size") =>
        product(id, { group: "g", options: [{ name, value }] });
      const refused = (index: number, fault: object) => ({
        outcome: "group_refused",
        index,
        fault,
      });

      await shop([]);
      assert.deepEqual(
        await put([product("prod_0"), product("prod_1", { group: "g" })]),
        refused(1, { reason: "no_options" }),
      );
      assert.deepEqual(
        await put([member("prod_1", "S"), member("prod_2", "S")]),
        refused(1, { reason: "combination_taken", by: "prod_1" }),
      );
      assert.equal((await put([member("prod_1", "S"), member("prod_2", "M")])).outcome, "stored");
      assert.deepEqual(
        await put([member("prod_3", "M")]),
        refused(0, { reason: "combination_taken", by: "prod_2" }),
      );
      assert.deepEqual(
        await put([member("prod_3", "L", "Grösse")]),
        refused(0, { reason: "other_names", names: ["Size"] }),
      );
      assert.equal((await put([member("prod_1", "M"), member("prod_2", "S")])).outcome, "stored");
      const renamed = [member("prod_1", "M", "Tamanho"), member("prod_2", "S", "Tamanho")];
      assert.equal((await put(renamed)).outcome, "stored");

      const many = Array.from({ length: 98 }, (_, index) =>
        member(`prod_a${index}`, String(index), "Tamanho"),
      );
      assert.equal((await put(many)).outcome, "stored");
      assert.deepEqual(
        await put([member("prod_b", "more", "Tamanho")]),
        refused(0, { reason: "full" }),
      );
      assert.equal((await put([member("prod_a1", "more", "Tamanho")])).outcome, "stored");
    },
  },
  {
    name: "an SKU and an external id belong to one product of a store, and can be exchanged",
    async run(context) {
      const { storage, assert } = context;
      const { shop } = fixtures(context);
      const { product, put } = reader(context);
      const find = async (code: string) => {
        const query = { search: code.toLowerCase(), code, after: null, limit: 10 };
        const found = await storage.catalog.listProductRecords("str_A", query);
        return found.map(({ id }) => id);
      };

      await shop([]);
      const a = product("prod_1", { sku: "AB-1", external_id: "X1" });
      const b = product("prod_2", { sku: "AB-2", external_id: "X2" });
      assert.equal((await put([a, b, product("prod_3")])).outcome, "stored");
      assert.deepEqual(await put([product("prod_4", { sku: "ab-1" })]), {
        outcome: "sku_taken",
        index: 0,
      });
      assert.deepEqual(await put([product("prod_0"), product("prod_4", { external_id: "X2" })]), {
        outcome: "external_id_taken",
        index: 1,
      });
      assert.deepEqual(await find("AB-"), ["prod_1", "prod_2"]);
      assert.deepEqual(await find("AB-2"), ["prod_2"]);
      assert.deepEqual(await find("X1"), ["prod_1"]);
      assert.deepEqual(await find("X"), []);

      const swapped = [
        { ...a, sku: "AB-2", external_id: "X2" },
        { ...b, sku: "AB-1", external_id: "X1" },
      ];
      assert.equal((await put(swapped)).outcome, "stored");
      assert.deepEqual(await find("X1"), ["prod_2"]);
      const named = await storage.catalog.findProductRecords("str_A", ["X1"], "external_id");
      assert.deepEqual(
        named.map(({ id, sku }) => [id, sku]),
        [["prod_2", "AB-1"]],
      );

      await put([product("prod_1"), product("prod_2", { group: "g", ...sized("S") })]);
      assert.deepEqual(await find("AB-1"), []);
      const group = { group: "g", after: null, limit: 10 };
      const listed = await storage.catalog.listProductRecords("str_A", group);
      assert.deepEqual(
        listed.map(({ id }) => id),
        ["prod_2"],
      );
    },
  },
  {
    name: "of twenty concurrent puts of one SKU or combination one is stored",
    async run(context) {
      const { assert } = context;
      const { shop } = fixtures(context);
      const { product, put } = reader(context);

      await shop([]);
      const puts = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          put([product(`prod_${index}`, index % 2 ? { sku: "S" } : { group: "g", ...sized("S") })]),
        ),
      );
      assert.equal(puts.filter(({ outcome }) => outcome === "stored").length, 2);
    },
  },
];

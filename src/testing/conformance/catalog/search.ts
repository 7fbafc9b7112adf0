import { putProducts } from "../../../steps/product-steps.ts";
import { deleteRecord, putRecord } from "../../../steps/record-steps.ts";
import type { ProductQuery } from "../../../storage/types.ts";
import type { StorageCase } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { categoryRecord } from "../fixtures/record-fixtures.ts";

/** Checks what a buyer's search finds, and in which order. */
export const searchCases: readonly StorageCase[] = [
  {
    name: "search matches each word in the folded name or the slug, and takes wildcards as text",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);

      await shop([
        product("prod_1", { name: "Ação 100%_x", slug: "zz-top" }),
        product("prod_2", { name: "acre", active: false }),
      ]);
      const count = async (search: string) => {
        const listed = await storage.catalog.listProducts({ ...partition, search, limit: 10 });
        return listed.outcome === "listed" ? listed.rows.length : -1;
      };
      for (const search of ["acao", "0%_", "%", "_", "zz-t", "x\nzz", "top acao", " 100%_x  ac "])
        assert.equal(await count(search), 1, search);
      for (const search of ["a%o", "z_-top", "xzz", "x\nzzz", "acao acre", "acre", "0\\%"])
        assert.equal(await count(search), 0, search);
    },
  },
  {
    name: "by relevance the nearest names come first, and cursors go on exactly",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      const names = [
        ["prod_a", "Grinder and filter"],
        ["prod_b", "Paper for coffee filter"],
        ["prod_c", "Prefilter"],
        ["prod_d", "Filter coffee"],
        ["prod_e", "Filter"],
        ["prod_f", "filter"],
        ["prod_g", "Cup"],
      ] as const;
      await shop();
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      const records = names.map(([id, name], index) =>
        product(id, {
          name,
          slug: id === "prod_g" ? "cup-filter" : id.replace("_", "-"),
          position: id === "prod_f" ? -5 : index,
          category_ids: index % 2 === 0 ? ["cat_1"] : [],
        }),
      );
      const puts = records.map((record) => ({ record, set_stock: false }));
      await putProducts(storage.records, partition.store_id, puts);
      const ids = async (more: Omit<ProductQuery, "store_id" | "livemode" | "limit">) => {
        const listed = await storage.catalog.listProducts({ ...partition, ...more, limit: 10 });
        return listed.outcome === "listed"
          ? listed.rows.map(({ id }) => id.slice(-1)).join("")
          : "";
      };

      const sort = "relevance" as const;
      assert.equal(await ids({ search: "filter", sort }), "fedabcg");
      assert.equal(await ids({ search: "filter", sort, offset: 2 }), "dabcg");
      assert.equal(await ids({ search: "filter", sort, category_slug: "c" }), "eacg");
      assert.equal(await ids({ search: "filter" }), "fabcdeg");
      // The whole phrase comes before the words in another order.
      assert.equal(await ids({ search: "coffee filter", sort }), "bd");
      assert.equal(await ids({ search: "filter  coffee", sort }), "db");
      assert.equal(await ids({ search: "filter paper cup", sort }), "");
      // Two letters stand in too many names to rank them all: the nearest come first.
      assert.equal(await ids({ search: "fi", sort }), "fdeabcg");

      const seen: string[] = [];
      for (let after: ProductQuery["after"]; ; ) {
        const query = { ...partition, search: "filter", sort, limit: 1, ...(after && { after }) };
        const listed = await storage.catalog.listProducts(query);
        const row = listed.outcome === "listed" ? listed.rows[0] : undefined;
        if (!row) break;
        seen.push(row.id.slice(-1));
        after = { position: row.position, id: row.id };
      }
      assert.equal(seen.join(""), "fedabcg");
    },
  },
  {
    name: "a search that finds nothing is corrected by the words of the store's active products",
    async run(context) {
      const { storage, assert } = context;
      const { product, shop, partition } = fixtures(context);
      const { store_id } = partition;
      const named = (id: string, name: string, more = {}) =>
        product(id, { name, slug: id.replace("_", "-"), ...more });
      await shop();
      const put = (...records: readonly ReturnType<typeof product>[]) =>
        putProducts(
          storage.records,
          store_id,
          records.map((record) => ({ record, set_stock: false })),
        );
      await put(
        named("prod_1", "Caneca azul"),
        named("prod_2", "Caneca vermelha"),
        named("prod_3", "Canela em pó"),
        named("prod_4", "Colchão de espuma"),
        named("prod_5", "Refrigerator shelf"),
        named("prod_6", "Strawberry jam"),
        named("prod_7", "Hidden lantern", { active: false }),
      );

      const find = async (search: string, more: Partial<ProductQuery> = {}) => {
        const query = { ...partition, search, correct: true, limit: 10, ...more };
        const listed = await storage.catalog.listProducts(query);
        if (listed.outcome !== "listed") return null;
        const ids = listed.rows.map(({ id }) => id.slice(-1)).join("");
        return [ids, listed.corrected_to ?? null];
      };

      // One edit for four to seven letters: put in, left out, replaced, or exchanged.
      for (const search of ["canneca", "caneka", "acneca"])
        assert.deepEqual(await find(search), ["12", "caneca"], search);
      assert.deepEqual(await find("azl"), ["", null]);
      assert.deepEqual(await find("acnexa"), ["", null]);
      // Two for eight and more.
      assert.deepEqual(await find("refrijeratro"), ["5", "refrigerator"]);
      assert.deepEqual(await find("rfrijeratro"), ["", null]);
      // The other number costs no edit.
      assert.deepEqual(await find("colchoes"), ["4", "colchao"]);
      assert.deepEqual(await find("strawberries"), ["6", "strawberry"]);
      // A word may be in the other number and have a typing error too.
      assert.deepEqual(await find("kanecas"), ["12", "caneca"]);
      assert.deepEqual(await find("kanexas"), ["", null]);
      // Two words are found where they are written as one. The second may be in either number.
      assert.deepEqual(await find("canecaazul"), ["1", "caneca azul"]);
      assert.deepEqual(await find("canecavermelhas"), ["2", "caneca vermelha"]);
      assert.deepEqual(await find("hiddenlantern"), ["", null]);
      // As near as another word, in more products.
      assert.deepEqual(await find("canexa"), ["12", "caneca"]);
      // A word that is right stays, and a search that finds something too.
      assert.deepEqual(await find("caneca azzul"), ["1", "caneca azul"]);
      assert.deepEqual(await find("canec"), ["12", null]);
      assert.deepEqual(await find("caneka xyzxyz"), ["", null]);
      assert.deepEqual(await find("caneka", { correct: false }), ["", null]);
      // Neither drafts nor codes are words.
      assert.deepEqual(await find("lanterm"), ["", null]);
      assert.deepEqual(await find("caneca1"), ["", null]);

      // Pages of a corrected search go on, and a page beyond the end corrects nothing.
      const page = { search: "caneka", correct: true, limit: 1 };
      const first = await storage.catalog.listProducts({ ...partition, ...page });
      const row = first.outcome === "listed" ? first.rows[0] : undefined;
      const after = row && { after: { position: row.position, id: row.id } };
      assert.deepEqual(await find("caneka", after), ["2", "caneca"]);
      assert.deepEqual(await find("caneca", { offset: 5 }), ["", null]);

      // The words are those of the catalog as it is.
      await put(named("prod_1", "Copo azul"), named("prod_2", "Copo", { active: false }));
      assert.deepEqual(await find("canexa"), ["3", "canela"]);
      assert.deepEqual(await find("coppo"), ["1", "copo"]);
      await deleteRecord(storage.records, "product", { store_id, id: "prod_3" });
      assert.deepEqual(await find("canexa"), ["", null]);
    },
  },
];

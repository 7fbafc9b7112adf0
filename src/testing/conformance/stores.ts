import type { PaymentMethodRecord } from "../../rules/records.ts";
import { putRecord } from "../../steps/record-steps.ts";
import { createStore, updateStore } from "../../steps/store-steps.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { categoryRecord } from "./fixtures/record-fixtures.ts";

/** Checks a store and what its owner changes about it. */
export const storeCases: readonly StorageCase[] = [
  {
    name: "a repeated createStore returns the stored store, and a slug belongs to one store",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);

      const made = await times(20, (index) =>
        createStore(storage.records, store({ id: `str_${index}` })),
      );
      assert.equal(made.filter(({ outcome }) => outcome === "created").length, 1);

      const [first] = await storage.access.listStores({ after: null, limit: 10 });
      assert.equal(
        (await createStore(storage.records, store({ id: first?.id ?? "" }))).outcome,
        "created",
      );
    },
  },
  {
    name: "twenty concurrent repeats of one createStore all return the same store",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);

      // This opens the connections first, so that the calls below really run at the same time.
      await times(20, () => storage.access.findStore("str_A"));
      const made = await times(20, () => createStore(storage.records, store()));
      assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["created"]));
      assert.equal((await storage.access.listStores({ after: null, limit: 10 })).length, 1);
    },
  },
  {
    name: "a store is found by its whole slug, as it is written",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);

      await createStore(storage.records, store({ id: "str_A", slug: "loja" }));
      await createStore(storage.records, store({ id: "str_B", slug: "loja-2" }));
      assert.equal((await storage.access.findStore("loja", "slug"))?.id, "str_A");
      assert.equal((await storage.access.findStore("loja-2", "slug"))?.id, "str_B");
      for (const slug of ["Loja", "loj", "loja%", "str_A", ""])
        assert.equal(await storage.access.findStore(slug, "slug"), null);
    },
  },
  {
    name: "each of fifty concurrent store updates raises the catalog version by one",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);

      await createStore(storage.records, store());
      await times(50, (index) =>
        updateStore(
          storage.records,
          "str_A",
          index % 2 === 0 ? { maintenance: true } : { name: "B" },
        ),
      );
      assert.deepEqual(
        await storage.access.findStore("str_A"),
        store({ maintenance: true, name: "B", catalog_version: 51 }),
      );
      assert.equal(await updateStore(storage.records, "str_B", { name: "B" }), null);
    },
  },
  {
    name: "an update over a changed store is stale: of ten concurrent ones one is stored",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      const { access, records } = storage;

      await createStore(records, store());
      const before = await access.findStore("str_A");
      if (!before) throw new Error("The store is missing.");
      const raced = await times(10, (index) =>
        updateStore(records, "str_A", { name: `Name ${index}` }, before),
      );
      assert.equal(raced.filter((result) => result === "stale").length, 9);
      const stored = await access.findStore("str_A");
      assert.equal(stored?.catalog_version, before.catalog_version + 1);
      assert.ok(raced.some((result) => result !== "stale" && result?.name === stored?.name));

      // A write of the catalog raises the version, and the store is still the same.
      await putRecord(storage.records, "category", categoryRecord("cat_1"));
      const updated = await updateStore(records, "str_A", { maintenance: true }, stored ?? before);
      assert.ok(updated !== "stale" && updated?.maintenance);
      assert.equal(await updateStore(records, "str_B", { name: "B" }, before), null);
    },
  },
  {
    name: "a new store comes with its addresses and payment methods, or not at all",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      const method = (id: string): PaymentMethodRecord => ({
        id,
        store_id: "str_A",
        type: "pix",
        name: "Pix",
        icon_url: null,
        currencies: ["BRL"],
        min_amount: null,
        max_amount: null,
        supports_recurring: false,
        settlement: "instant",
        position: 0,
        enabled: true,
        gateway: null,
      });
      const beside = {
        origins: ["https://shop.example.com"],
        return_urls: ["https://shop.example.com/thanks"],
        payment_methods: [method("pm_1"), method("pm_2")],
      };
      const made = await times(10, () => createStore(storage.records, store(), beside));
      assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["created"]));
      const { access, catalog } = storage;
      assert.deepEqual(await access.listAddresses("origin", "str_A"), beside.origins);
      assert.deepEqual(await access.listAddresses("return_url", "str_A"), beside.return_urls);
      assert.deepEqual(await catalog.listPaymentMethods("str_A"), beside.payment_methods);

      const other = { ...store(), id: "str_B" };
      const taken = await createStore(storage.records, other, {
        ...beside,
        payment_methods: [{ ...method("pm_3"), store_id: "str_B" }],
      });
      assert.equal(taken.outcome, "slug_taken");
      assert.deepEqual(await access.listAddresses("origin", "str_B"), []);
      assert.deepEqual(await catalog.listPaymentMethods("str_B"), []);
    },
  },
];

import { type StorageCase, times } from "./case.ts";
import { fixtures } from "./fixtures.ts";

/** A store and what its owner changes about it. */
export const storeCases: readonly StorageCase[] = [
  {
    name: "createStore repeated with its id gives the stored store; a slug belongs to one store, also of twenty at once",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      const made = await times(20, (index) =>
        storage.access.createStore(store({ id: `str_${index}` })),
      );
      assert.equal(made.filter(({ outcome }) => outcome === "created").length, 1);
      const [first] = await storage.access.listStores({ after: null, limit: 10 });
      assert.equal(
        (await storage.access.createStore(store({ id: first?.id ?? "" }))).outcome,
        "created",
      );
    },
  },
  {
    name: "twenty creations of one store at once, as repeats of one call, all give that store",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      await times(20, () => storage.access.findStore("str_A")); // opens the connections, or the first call is done before the next begins
      const made = await times(20, () => storage.access.createStore(store()));
      assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["created"]));
      assert.equal((await storage.access.listStores({ after: null, limit: 10 })).length, 1);
    },
  },
  {
    name: "an update of a store moves its catalog version by one, fifty at once lose none",
    async run(context) {
      const { storage, assert } = context;
      const { store } = fixtures(context);
      await storage.access.createStore(store());
      await times(50, (index) =>
        storage.access.updateStore(
          "str_A",
          index % 2 === 0 ? { maintenance: true } : { name: "B" },
        ),
      );
      assert.deepEqual(
        await storage.access.findStore("str_A"),
        store({ maintenance: true, name: "B", catalog_version: 51 }),
      );
      assert.equal(await storage.access.updateStore("str_B", { name: "B" }), null);
    },
  },
];

import { addAddress, createStore } from "../../steps/store-steps.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";

/** Checks the addresses that a store allows. */
export const addressCases: readonly StorageCase[] = [
  {
    name: "fifty concurrent adds store at most `max` addresses",
    async run(context) {
      const { storage, assert } = context;

      await createStore(storage.records, fixtures(context).store());
      const added = await times(50, (index) =>
        addAddress(
          storage.records,
          { kind: "origin", store_id: "str_A", address: `https://${index}.example.com` },
          20,
        ),
      );
      assert.equal(added.filter(({ outcome }) => outcome === "added").length, 20);

      const known = await storage.access.listAddresses("origin", "str_A");
      assert.equal(known.length, 20);
      assert.equal(
        (
          await addAddress(
            storage.records,
            { kind: "origin", store_id: "str_A", address: known[0] ?? "" },
            20,
          )
        ).outcome,
        "added",
      );
    },
  },
];

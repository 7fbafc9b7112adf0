import { createStore } from "../../steps/store-steps.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";

/** Checks the alerts that tell the owner of trouble. */
export const alertCases: readonly StorageCase[] = [
  {
    name: "twenty concurrent raises of one alert store it once",
    async run(context) {
      const { storage, clock, newId, assert } = context;

      await createStore(storage.records, fixtures(context).store());
      const raise = (since: number) =>
        storage.access.raiseAlert(
          {
            id: newId("alr"),
            store_id: "str_A",
            livemode: false,
            type: "t",
            subject: "s",
            data: { a: 1 },
            created_at: clock.now(),
          },
          since,
        );
      const raised = await times(20, () => raise(clock.now() - 1_000));
      assert.equal(raised.filter((result) => result.raised).length, 1);

      clock.advance(2_000);
      assert.equal((await raise(clock.now() - 1_000)).raised, true);
      assert.equal(
        (await storage.access.listAlerts("str_A", { before: null, limit: 10 })).length,
        2,
      );
    },
  },
  {
    name: "a repeated raise returns its first answer and stores nothing",
    async run(context) {
      const { storage, clock, newId, assert } = context;

      await createStore(storage.records, fixtures(context).store());
      const alert = {
        id: newId("alr"),
        store_id: "str_A",
        livemode: false,
        type: "t",
        subject: "s",
        data: {},
        created_at: clock.now(),
      };
      for (const since of [clock.now() - 1_000, clock.now() - 1_000, clock.now() + 1_000])
        assert.equal((await storage.access.raiseAlert(alert, since)).raised, true);
      assert.equal(
        (await storage.access.raiseAlert({ ...alert, id: newId("alr") }, clock.now())).raised,
        false,
      );
      assert.equal(
        (
          await storage.access.raiseAlert(
            { ...alert, id: newId("alr"), livemode: true },
            clock.now(),
          )
        ).raised,
        true,
      );
      assert.equal(
        (await storage.access.listAlerts("str_A", { before: null, limit: 10 })).length,
        2,
      );
    },
  },
];

import type { AlertRecord } from "../../rules/records.ts";
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
  {
    name: "an alert about an order is stored once, with a notice; other alerts have none",
    async run(context) {
      const { storage, clock, newId, assert } = context;

      await createStore(storage.records, fixtures(context).store());
      const alert = (subject: string): AlertRecord => ({
        id: newId("alr"),
        store_id: "str_A",
        livemode: false,
        type: "oversold",
        subject,
        data: {},
        created_at: clock.now(),
      });
      const claim = async () => {
        const now = clock.now();
        const due = { now, lease_until: now + 60_000, limit: 10 };
        return (await storage.webhooks.claimNotices(due)).map(({ subject }) => subject);
      };
      await storage.access.raiseAlert(alert("ord_1"), clock.now() - 1_000);
      assert.deepEqual(await claim(), []);

      await times(5, () => storage.orders.raiseOrderAlert(alert("ord_2")));
      clock.advance(86_400_000);
      await storage.orders.raiseOrderAlert(alert("ord_2"));
      const listed = await storage.access.listAlerts("str_A", { before: null, limit: 10 });
      assert.deepEqual(listed.map(({ subject }) => subject).sort(), ["ord_1", "ord_2"]);
      assert.equal((await storage.webhooks.findNextWork(clock.now())).notices, true);
      assert.deepEqual(await claim(), ["ord_2"]);
      assert.deepEqual(await claim(), []);
    },
  },
];

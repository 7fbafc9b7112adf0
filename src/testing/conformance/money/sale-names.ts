import { removeArchived } from "../../../steps/archive-steps.ts";
import { completeSession } from "../../../steps/checkout-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { hour } from "../fixtures/webhook-fixtures.ts";
import { salesFixtures } from "../sales.ts";

const day = 24 * hour;

/** Checks by which name a product is told that was sold under several. */
export const saleNameCases: readonly StorageCase[] = [
  {
    name: "a product is told by the name of its newest order in the time, counted or removed",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, shop, session, openSession, completion, countAll, sales } =
        salesFixtures(context);
      await shop();
      const [line] = session().lines;
      if (!line) throw new Error("The session has no line.");
      const start = clock.now();
      const sold: { readonly id: string; readonly at: number; readonly name: string }[] = [];
      const sellAs = async (name: string): Promise<void> => {
        const lines = [{ ...line, name }];
        const done = await completeSession(
          storage.orders,
          completion(await openSession({ lines })),
        );
        if (done.outcome !== "paid") throw new Error(`The session is ${done.outcome}.`);
        sold.push({ id: done.order.id, at: clock.now(), name });
        clock.advance(1);
      };
      const assertNames = async (why: string): Promise<void> => {
        for (const end of [hour, 2 * hour, day, 8 * day, 30 * day]) {
          const to = start + end;
          const last = sold.findLast(({ at }) => at < to);
          for (const before of [start, start - day]) {
            const rows = await sales(start, to, { before });
            const names = rows.filter(({ kind }) => kind === "product").map(({ name }) => name);
            assert.deepEqual(names, [last?.name], `${why}, ${end / hour} hours`);
          }
        }
        const rows = await sales(start + hour, start + 30 * day, { before: start });
        const names = rows.filter(({ kind }) => kind === "product").map(({ name }) => name);
        assert.deepEqual(names, [sold.at(-1)?.name], why);
      };

      await sellAs("Omega");
      await sellAs("Beta");
      clock.advance(hour);
      await sellAs("Zeta");
      await assertNames("before the count");
      clock.advance(2 * hour);
      await sellAs("alfa");
      await countAll();
      await assertNames("by the hour and the newest orders");
      clock.advance(7 * day);
      await sellAs("Ômega 10");
      await sellAs("Gama");
      clock.advance(2 * day);
      await countAll();
      await assertNames("by the day");
      await sellAs("10 %");
      clock.advance(14 * day);
      await times(2, countAll);
      await assertNames("by the week");

      // Of some hours the newer order is removed first, of others the older one.
      for (const at of [1, 0, 2, 5, 3, 4, 6]) {
        const command = { ...partition, order_id: sold[at]?.id ?? "" };
        assert.equal(await removeArchived(storage.orders, command, () => true), "removed");
        await assertNames(`after the removal of order ${at}`);
      }
    },
  },
];

import { isCounted } from "../../rules/archive/stay.ts";
import { customerTotal } from "../../rules/orders/order-terms.ts";
import { removeArchived } from "../../steps/archive-steps.ts";
import { addNote } from "../../steps/record-steps.ts";
import { backOfficeFixtures } from "./fixtures/back-office-fixtures.ts";
import { type StorageCase, times } from "./fixtures/case.ts";
import { fixtures } from "./fixtures/fixtures.ts";
import { hour } from "./fixtures/webhook-fixtures.ts";
import { salesFixtures } from "./sales.ts";

/** Checks how an order is removed that the host keeps in a file (docs/archive.md). */
export const archiveCases: readonly StorageCase[] = [
  {
    name: "an order that is removed takes its rows along, and leaves what it counted",
    async run(context) {
      const { storage, assert, clock } = context;
      const { shop, partition } = fixtures(context);
      const { sell, numbers } = backOfficeFixtures(context);
      await shop();
      const order = await sell({ id: "u_1", email: "ana@example.com" });
      const kept = await sell({ id: "u_1", email: "ana@example.com" });
      const note = { id: "note_1", order_id: order.id, text: "Hello", created_at: clock.now() };
      await addNote(storage.records, { ...partition, ...note }, 10);
      const span = { ...partition, from: 0, to: clock.now() + 7_200_000 };
      const sums = async () => {
        const { rows } = await storage.stats.listHours(span);
        const counts = new Map<string, number>();
        for (const { kind, count } of rows) counts.set(kind, (counts.get(kind) ?? 0) + count);
        return Object.fromEntries(counts);
      };
      const customers = async () =>
        (await storage.backOffice.listCustomers(partition, { ids: ["u_1"] })).map(
          ({ totals }) => totals,
        );
      const before = [await sums(), await customers()];

      const command = { ...partition, order_id: order.id };
      const refused = await removeArchived(storage.orders, command, ({ notes, payments }) => {
        assert.deepEqual([notes.length, payments.length], [1, 1]);
        return false;
      });
      assert.equal(refused, "changed");
      assert.deepEqual(await numbers({}), [2, 1]);
      assert.equal(await removeArchived(storage.orders, command, () => true), "removed");
      assert.equal(await removeArchived(storage.orders, command, () => true), "gone");

      assert.deepEqual(await numbers({}), [2]);
      assert.deepEqual(await numbers({ search: "ana@example.com" }), [2]);
      assert.equal(await storage.backOffice.findHistory(partition, order.id), null);
      const session = await storage.checkout.findSession(partition, order.session_id ?? "");
      assert.equal(session, null);
      assert.deepEqual(await storage.orders.listPayments(partition, order.id), []);
      const page = { after: null, limit: 10 };
      assert.deepEqual(await storage.backOffice.listNotes(partition, order.id, page), []);
      assert.deepEqual([await sums(), await customers()], before);
      assert.equal(customerTotal(kept)?.orders, 1);
      assert.equal((await sell({ id: "u_2", email: "bia@example.com" })).number, 3);
    },
  },
  {
    name: "a storage tells whose sales outlive their orders, which are all once they are counted",
    async run(context) {
      const { storage, clock, assert } = context;
      const { partition, shop, sell, countAll, told } = salesFixtures(context);
      await shop();
      const start = clock.now();
      const orders = [await sell({ id: "user_1" }), await sell({ id: "user_2" })];
      clock.advance(hour);
      orders.push(...(await times(21, (index) => sell({ id: `later_${index}` }))));
      const sold = await told(start, clock.now() + hour);

      const removeKept = async () => {
        const query = { ...partition, from: 0, to: 0, sales: { before: 0, top: 1 } };
        const { sales } = await storage.stats.listHours(query);
        assert.ok(sales);
        for (const order of orders)
          if (isCounted(order, sales?.kept ?? null))
            await removeArchived(storage.orders, { ...partition, order_id: order.id }, () => true);
      };
      const left = async (): Promise<number> => {
        const found = orders.map(({ id }) => storage.orders.find("order", partition, id));
        return (await Promise.all(found)).filter((order) => order !== null).length;
      };

      await removeKept();
      clock.advance(2 * hour);
      // The newest orders are counted first, so that those of the hour before are not yet.
      await storage.stats.count("sales", { now: clock.now(), limit: 1 });
      await removeKept();
      await countAll();
      assert.deepEqual(await told(start, start + 2 * hour), sold);
      await removeKept();
      assert.equal(await left(), 0);
      assert.deepEqual(await told(start, start + 2 * hour), sold);
    },
  },
];

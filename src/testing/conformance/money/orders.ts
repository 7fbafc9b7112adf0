import type { OrderStatus } from "../../../contract/schemas.ts";
import { completeSession, submitSession } from "../../../steps/checkout-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { fixtures } from "../fixtures/fixtures.ts";

/** Checks orders, their numbers and their lists. */
export const orderCases: readonly StorageCase[] = [
  {
    name: "concurrent completions of one session make one order and one set of events",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);

      await shop();
      const session = await openSession();
      const results = await times(20, () => completeSession(storage.orders, completion(session)));
      const ids = results.map((result) => ("order" in result ? result.order?.id : result.outcome));
      assert.equal(new Set(ids).size, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "paid").length, 1);
      assert.deepEqual(
        (await events()).map(({ type }) => type),
        ["order.created", "order.paid", "checkout.session.completed"],
      );
    },
  },
  {
    name: "fifty concurrent buyers leave no gap and no double in order numbers and events",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, events } = fixtures(context);

      await shop();
      const sessions = await times(50, () => openSession());
      const results = await Promise.all(
        sessions.map((session) => completeSession(storage.orders, completion(session))),
      );
      const numbers = results
        .map((result) => ("order" in result ? (result.order?.number ?? 0) : 0))
        .sort((a, b) => a - b);
      assert.deepEqual(
        numbers,
        Array.from({ length: 50 }, (_, index) => index + 1),
      );
      assert.deepEqual(
        (await events()).map(({ sequence }) => sequence),
        Array.from({ length: 150 }, (_, index) => index + 1),
      );
    },
  },
  {
    name: "orders are listed newest first, and the cursor of another mode is unknown",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, submission, partition } = fixtures(context);

      await shop();
      for (let count = 0; count < 3; count += 1)
        await completeSession(storage.orders, completion(await openSession()));
      await submitSession(storage.orders, submission(await openSession()));
      const list = async (query: {
        status?: OrderStatus;
        after?: string;
        limit: number;
        livemode?: boolean;
      }) => {
        const result = await storage.orders.listOrders({ ...partition, ...query });
        return result.outcome === "listed" ? result.orders : result.outcome;
      };
      const all = await list({ limit: 10 });
      if (typeof all === "string") return assert.equal(all, "listed");
      assert.deepEqual(
        all.map(({ number }) => number),
        [4, 3, 2, 1],
      );
      assert.equal((await list({ limit: 2 })).length, 3);
      assert.deepEqual(await list({ limit: 10, after: all[1]?.id }), all.slice(2));
      assert.deepEqual(await list({ limit: 10, after: all[3]?.id }), []);
      assert.deepEqual(await list({ limit: 10, status: "paid", after: all[0]?.id }), all.slice(1));
      assert.equal(await list({ limit: 10, after: "ord_unknown" }), "unknown_cursor");
      assert.equal(await list({ limit: 10, after: all[0]?.id, livemode: true }), "unknown_cursor");
      assert.deepEqual(await list({ limit: 10, livemode: true }), []);
      assert.deepEqual(await storage.orders.find("order", partition, all[0]?.id ?? ""), all[0]);
      assert.equal(
        await storage.orders.find("order", { ...partition, livemode: true }, all[0]?.id ?? ""),
        null,
      );
    },
  },
  {
    name: "orders are filtered by their checkout session, in their mode alone",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, partition } = fixtures(context);

      await shop();
      const sessions = [await openSession(), await openSession()];
      for (const session of sessions) await completeSession(storage.orders, completion(session));
      const list = async (query: {
        session_id: string;
        status?: OrderStatus;
        livemode?: boolean;
      }) => {
        const result = await storage.orders.listOrders({ ...partition, limit: 10, ...query });
        return result.outcome === "listed" ? result.orders.map(({ number }) => number) : null;
      };

      for (const [index, { id }] of sessions.entries())
        assert.deepEqual(await list({ session_id: id }), [index + 1]);
      const [{ id: session_id } = { id: "" }] = sessions;
      assert.deepEqual(await list({ session_id, status: "paid" }), [1]);
      assert.deepEqual(await list({ session_id, status: "failed" }), []);
      assert.deepEqual(await list({ session_id, livemode: true }), []);
      assert.deepEqual(await list({ session_id: "cs_unknown" }), []);
    },
  },
  {
    name: "a buyer sees only their own orders, and none with a revoked token",
    async run(context) {
      const { storage, assert } = context;
      const { shop, openSession, completion, partition } = fixtures(context);

      await shop();
      for (const customer_id of ["ana", "bia", "ana"])
        await completeSession(storage.orders, completion(await openSession({ customer_id })));
      const list = (token_issued_at: number, after?: string) =>
        storage.orders.listCustomerOrders({
          ...partition,
          customer_id: "ana",
          customer_keys: ["ana"],
          token_issued_at,
          after,
          limit: 10,
        });
      const mine = await list(1_000);
      const orders = mine.outcome === "listed" ? mine.orders : [];
      assert.deepEqual(
        orders.map(({ number, customer }) => [number, customer.id]),
        [
          [3, "ana"],
          [1, "ana"],
        ],
      );
      assert.deepEqual(await list(1_000, orders[0]?.id), {
        outcome: "listed",
        orders: orders.slice(1),
      });

      const all = await storage.orders.listOrders({ ...partition, limit: 10 });
      const foreign =
        all.outcome === "listed"
          ? all.orders.find(({ customer }) => customer.id === "bia")
          : undefined;
      assert.ok(foreign);
      assert.equal((await list(1_000, foreign?.id)).outcome, "unknown_cursor");

      const ofAna = { ...partition, customer_keys: ["ana"], customer_id: "ana" };
      await storage.orders.revokeCustomerTokens({ ...ofAna, not_before: 2_000 });
      await storage.orders.revokeCustomerTokens({ ...ofAna, not_before: 1_500 });
      assert.deepEqual(
        [
          (await list(1_999)).outcome,
          (await list(1_999, foreign?.id)).outcome,
          (await list(2_000)).outcome,
        ],
        ["token_revoked", "token_revoked", "listed"],
      );
    },
  },
];

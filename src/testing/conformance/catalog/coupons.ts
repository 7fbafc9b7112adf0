import type { SessionRecord } from "../../../rules/records.ts";
import { applyPayment, completeSession, submitSession } from "../../../steps/checkout-steps.ts";
import { putRecord } from "../../../steps/record-steps.ts";
import { createStore } from "../../../steps/store-steps.ts";
import { type StorageCase, times } from "../fixtures/case.ts";
import { unknownBuyer } from "../fixtures/command-fixtures.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { paymentFixtures } from "../fixtures/payment-fixtures.ts";

/** Checks coupons and their limits of use. */
export const couponCases: readonly StorageCase[] = [
  {
    name: "of twenty concurrent puts of one coupon code one is stored",
    async run(context) {
      const { storage, assert } = context;
      const { coupon, store, partition } = fixtures(context);

      await createStore(storage.records, store());
      const results = await times(20, (index) =>
        putRecord(storage.records, "coupon", coupon(`cpn_${index}`, { code: "SAME" })),
      );
      assert.equal(results.filter(({ outcome }) => outcome === "stored").length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "code_taken").length, 19);
      assert.equal((await storage.checkout.loadCart(partition, [], "SAME")).coupon?.used, 0);
      assert.equal((await storage.access.findStore("str_A"))?.catalog_version, 1);
    },
  },
  {
    name: "fifty concurrent submissions use a coupon with one use once",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission } = fixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("cpn_1", { max_uses: 1 }));
      const sessions = await times(50, () =>
        openSession({ coupon_id: "cpn_1", coupon_code: "cpn_1" }),
      );
      const results = await Promise.all(
        sessions.map((session) => submitSession(storage.orders, submission(session))),
      );
      assert.equal(results.filter(({ outcome }) => outcome === "submitted").length, 1);
      assert.equal(results.filter(({ outcome }) => outcome === "coupon_invalid").length, 49);
    },
  },
  {
    name: "a coupon that counts per customer needs a customer id or an e-mail",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission, completion } = fixtures(context);
      const { alerts } = paymentFixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("EACH", { max_uses_per_customer: 1 }));
      const open = () => openSession({ coupon_id: "EACH", coupon_code: "EACH" });
      const unnamed = await submitSession(storage.orders, submission(await open()));
      assert.equal(unnamed.outcome, "coupon_invalid");

      const named = { buyer: { ...unknownBuyer, email: "ana@example.com" } };
      const submitted = await submitSession(storage.orders, submission(await open(), named));
      assert.equal(submitted.outcome, "submitted");

      // Money that came is never refused.
      const paid = await completeSession(storage.orders, completion(await open()));
      assert.equal(paid.outcome, "paid");
      assert.deepEqual(await alerts(), []);
    },
  },
  {
    name: "a minimum subtotal has a currency: carts of another one never reach it",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission } = fixtures(context);

      await shop();
      const minimum = { min_subtotal: 10, min_subtotal_currency: "BRL" };
      await putRecord(storage.records, "coupon", coupon("MIN", minimum));
      const submit = async (currency: string) => {
        const session = await openSession({ coupon_id: "MIN", coupon_code: "MIN", currency });
        return (await submitSession(storage.orders, submission(session))).outcome;
      };
      assert.deepEqual([await submit("BRL"), await submit("USD")], ["submitted", "coupon_invalid"]);
    },
  },
  {
    name: "max_uses_per_customer counts a buyer by id, else by folded e-mail",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission } = fixtures(context);
      const { start, result } = paymentFixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE", { max_uses_per_customer: 1 }));
      const discounted = (changes: Partial<SessionRecord> = {}) =>
        openSession({ coupon_id: "CODE", coupon_code: "CODE", ...changes });
      const submit = async (
        changes: Partial<SessionRecord>,
        buyer: Partial<typeof unknownBuyer> = {},
      ) =>
        (
          await submitSession(
            storage.orders,
            submission(await discounted(changes), { buyer: { ...unknownBuyer, ...buyer } }),
          )
        ).outcome;
      const raced = await times(10, (index) =>
        submit({ email: index % 2 ? "ANA@example.com" : "ana@example.com" }),
      );
      assert.equal(raced.filter((outcome) => outcome === "submitted").length, 1);
      assert.equal(raced.filter((outcome) => outcome === "coupon_invalid").length, 9);
      assert.equal(await submit({ email: "ana@example.com" }, { id: "u_1" }), "submitted");
      assert.equal(await submit({ email: "other@example.com" }, { id: "u_1" }), "coupon_invalid");
      assert.equal(await submit({ customer_id: "u_1" }), "coupon_invalid");

      const session = await discounted();
      const known = { buyer: { ...unknownBuyer, id: "u_2", email: "bia@example.com" } };
      const first = await start(session, known);
      await applyPayment(storage.orders, result(first, "failed"));
      // The first attempt names the buyer by id. The second names nobody and counts for that buyer.
      await applyPayment(storage.orders, result(await start(session), "succeeded"));
      assert.equal(await submit({}, { id: "u_2" }), "coupon_invalid");
      assert.equal(await submit({ email: "bia@example.com" }), "submitted");
    },
  },
  {
    name: "a coupon use of one customer counts for no other customer",
    async run(context) {
      const { storage, assert } = context;
      const { shop, coupon, openSession, submission } = fixtures(context);

      await shop();
      await putRecord(storage.records, "coupon", coupon("CODE", { max_uses_per_customer: 2 }));
      const submitAs = async (email: string) => {
        const session = await openSession({ coupon_id: "CODE", coupon_code: "CODE", email });
        return (await submitSession(storage.orders, submission(session))).outcome;
      };
      assert.equal(await submitAs("ana@example.com"), "submitted");
      assert.equal(await submitAs("bia@example.com"), "submitted");
      assert.equal(await submitAs("ana@example.com"), "submitted");
      assert.equal(await submitAs("bia@example.com"), "submitted");
      assert.equal(await submitAs("ana@example.com"), "coupon_invalid");
    },
  },
];

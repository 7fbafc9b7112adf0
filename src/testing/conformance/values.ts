import { submitSession } from "../../steps/checkout-steps.ts";
import type { StorageCase } from "./case.ts";
import { fixtures } from "./fixtures.ts";

const largest = 9_007_199_254_740_991;
const numbers = [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 8_640_000_000_000_000, largest];
/** These texts look equal, or a collation takes them as equal, and yet they differ. */
const texts = [
  "é",
  "e\u0301",
  "E",
  "e",
  "ß",
  "ss",
  "İ",
  "a ",
  "a",
  "𝒶",
  "🧉",
  "👩‍👩‍👧",
  "日本",
  "עברית",
  "\u2028",
  "\ufeff",
  "\uffff",
  "\u007f",
  "'\"\\;--",
  "$1 ? :x %s",
  "null",
  "0",
  "\r\n\t",
];

/** Checks values that databases tend to store differently. */
export const valueCases: readonly StorageCase[] = [
  {
    name: "times and integers up to 2^53-1 come back as numbers, and null as null",
    async run(context) {
      const { storage, assert } = context;
      const { product, store, partition } = fixtures(context);

      await storage.access.createStore(store());
      for (const [index, value] of numbers.entries()) {
        const key = {
          ...{
            id: `key_${index}`,
            store_id: "str_A",
            livemode: index % 2 === 0,
            kind: "secret" as const,
            name: "k",
            scopes: [],
          },
          ...{
            key_hash: `hash${index}`,
            last4: "1234",
            created_at: value,
            revoked_at: index === 0 ? null : value,
          },
        };
        await storage.access.createKey(key);
        assert.deepEqual((await storage.access.findAccess(key.key_hash))?.key, key);

        const alert = {
          id: `alr_${index}`,
          store_id: "str_A",
          livemode: false,
          type: "t",
          subject: "s",
          data: { value },
          created_at: value,
        };
        await storage.access.raiseAlert(alert, largest);
        assert.deepEqual(
          (await storage.access.listAlerts("str_A", { before: null, limit: 1 }))[0],
          { ...alert, acknowledged_at: null, acknowledged_by: null },
        );

        const record = product(`prod_${index}`, { stock: value, price: value, position: value });
        await storage.catalog.putProducts("str_A", [{ record, set_stock: true }]);
        assert.deepEqual((await storage.checkout.loadCart(partition, [record.id], null)).products, [
          { ...record, on_hand: value },
        ]);
      }

      const listed = await storage.catalog.listProducts({
        ...partition,
        after: { position: 2 ** 31 - 1, id: "prod_2" },
        limit: 10,
      });
      assert.deepEqual(
        listed.outcome === "listed" && listed.rows.map(({ position }) => position),
        numbers.slice(3),
      );
      assert.deepEqual((await storage.access.listKeys("str_A")).length, numbers.length);
    },
  },
  {
    name: "booleans come back as booleans",
    async run(context) {
      const { storage, assert } = context;
      const { product, store, partition, coupon } = fixtures(context);
      for (const on of [true, false]) {
        const made = store({
          id: `str_${on}`,
          slug: `s-${on}`,
          headless_enabled: on,
          maintenance: !on,
        });
        await storage.access.createStore(made);
        assert.deepEqual(await storage.access.findStore(made.id), made);

        const record = product(`prod_${on}`, { store_id: made.id, active: on, blocked: !on });
        await storage.catalog.putProducts(made.id, [{ record, set_stock: true }]);
        assert.deepEqual(await storage.catalog.findProductRecord(made.id, record.id), record);

        await storage.catalog.putCoupon(coupon(`cpn_${on}`, { store_id: made.id, enabled: on }));
        const cart = await storage.checkout.loadCart(
          { ...partition, store_id: made.id },
          [],
          `cpn_${on}`,
        );
        assert.equal(cart.coupon?.enabled, on);
      }
    },
  },
  {
    name: "a stored reply comes back byte for byte",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, scope, session, reply } = fixtures(context);

      await shop();
      const list = JSON.stringify(texts);
      const body = `{ "b":1.0, "a" :1e2,"a":"\\u00e9\\/","n":9007199254740993,"t":${list} }\n`;
      const own = session();
      await storage.checkout.createSession(scope("k"), {
        session: own,
        reply: { ...reply(own), body },
        lock_token: null,
      });
      const opened = await storage.checkout.openCheckout({
        ...scope("k"),
        fingerprint: "f",
        product_ids: [],
        coupon_code: null,
        customer_keys: [],
        now: clock.now(),
      });
      assert.equal(opened.key.outcome === "replay" ? opened.key.reply.body : null, body);
    },
  },
  {
    name: "text comes back exactly, and texts that look alike are different names",
    async run(context) {
      const { storage, assert } = context;
      const { product, coupon, shop, partition } = fixtures(context);

      await shop(
        texts.map((name, index) =>
          product(`prod_${index}`, {
            name,
            description: name,
            images: [name],
            variables: [],
            slug: `s${index}`,
          }),
        ),
      );
      const stored = await storage.catalog.listProductRecords("str_A", { after: null, limit: 100 });
      for (const [index, name] of texts.entries()) {
        const record = stored.find(({ id }) => id === `prod_${index}`);
        assert.deepEqual([record?.name, record?.description, record?.images], [name, name, [name]]);
        assert.equal(
          (await storage.catalog.putCoupon(coupon(`cpn_${index}`, { code: name }))).outcome,
          "stored",
          name,
        );
      }
      for (const [index, code] of texts.entries())
        assert.equal(
          (await storage.checkout.loadCart(partition, [], code)).coupon?.id,
          `cpn_${index}`,
          code,
        );
      for (const code of ["É", "A", "  ", "x"])
        assert.equal((await storage.checkout.loadCart(partition, [], code)).coupon, null, code);
    },
  },
  {
    name: "a buyer id is compared exactly: case, accents and blanks count",
    async run(context) {
      const { storage, clock, assert } = context;
      const { shop, openSession, submission, partition } = fixtures(context);

      await shop();
      const submitted = submission(await openSession());
      await submitSession(storage.orders, {
        ...submitted,
        buyer: { ...submitted.buyer, id: "user-é" },
      });
      const count = async (customer_id: string) => {
        const listed = await storage.orders.listCustomerOrders({
          ...partition,
          customer_id,
          customer_keys: [customer_id],
          token_issued_at: clock.now(),
          limit: 10,
        });
        return listed.outcome === "listed" ? listed.orders.length : -1;
      };
      assert.deepEqual(
        await Promise.all(["user-é", "user-e\u0301", "USER-É", "user-é ", "user-e"].map(count)),
        [1, 0, 0, 0, 0],
      );
    },
  },
];

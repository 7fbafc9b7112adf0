import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { postgresUrl } from "../support/postgres-url.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { openPostgres } from "../support/storages.ts";

const databaseUrl = await postgresUrl();

describe("order steps inside the host's own transaction", () => {
  let shop: Shop;
  let pool: pg.Pool;
  let host: pg.Client;
  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    await pool.query("create table host_ledger (order_id text primary key)");
  });
  afterAll(async () => {
    await pool.query("drop table host_ledger");
    await pool.end();
  });
  beforeEach(async () => {
    shop = await createShop(await openPostgres(), { limits: { checkout: null } });
    await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://hooks.example.com/x",
    });
    host = new pg.Client(databaseUrl);
    await host.connect();
    return () => host.end();
  });
  const where = () => ({ store_id: shop.a.id, livemode: false });
  const paid = () => ({
    ...where(),
    reference: "r1",
    status: "paid" as const,
    amount: 1000,
    currency: "BRL",
  });
  const events = async () =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data.length;

  test("a commit writes the host's row with the order, its events and deliveries", async () => {
    const made = await shop.session();
    await host.query("begin");
    const order = await shop.storefront.checkout.complete(made.body.data.id, paid(), {
      client: host,
    });
    await host.query("insert into host_ledger values ($1)", [order.id]);
    expect(await events()).toBe(0);
    await host.query("commit");
    expect(await events()).toBe(3);
    expect(
      (await pool.query("select 1 from host_ledger where order_id = $1", [order.id])).rowCount,
    ).toBe(1);
    expect(await shop.storefront.orders.retrieve(order.id, where())).toEqual(order);
    expect(await shop.storefront.drainWebhooks()).toMatchObject({ delivered: 3 });
  });

  test("a rollback writes none of them, and the next order gets the number that was given back", async () => {
    const made = await shop.session();
    await host.query("begin");
    const order = await shop.storefront.checkout.complete(made.body.data.id, paid(), {
      client: host,
    });
    await host.query("insert into host_ledger values ($1)", [order.id]);
    await host.query("rollback");
    expect(await events()).toBe(0);
    expect(
      (await pool.query("select 1 from host_ledger where order_id = $1", [order.id])).rowCount,
    ).toBe(0);
    expect(await thrownBy(shop.storefront.orders.retrieve(order.id, where()))).toMatchObject({
      code: "resource_not_found",
    });
    expect(await shop.storefront.checkout.complete(made.body.data.id, paid())).toMatchObject({
      number: 1,
      status: "paid",
    });
  });

  test("refunds, disputes and renewals join the host's transaction too", async () => {
    const order = await shop.storefront.checkout.complete(
      (await shop.session()).body.data.id,
      paid(),
    );
    await host.query("begin");
    await shop.storefront.orders.refund(
      order.id,
      { ...where(), reference: "rf", amount: 100 },
      { client: host },
    );
    await host.query("rollback");
    expect(await shop.storefront.orders.retrieve(order.id, where())).toMatchObject({
      amount_refunded: 0,
    });
    await host.query("begin");
    await shop.storefront.orders.openDispute(
      order.id,
      { ...where(), reference: "dp" },
      { client: host },
    );
    await host.query("commit");
    expect(await shop.storefront.orders.retrieve(order.id, where())).toMatchObject({
      status: "chargeback",
    });
  });

  test("outside a transaction, at another isolation level or on another storage, the call throws an error that says so and writes nothing", async () => {
    const made = await shop.session();
    const complete = () =>
      thrownBy(shop.storefront.checkout.complete(made.body.data.id, paid(), { client: host }));
    expect(await complete()).toMatchObject({
      code: "invalid_option",
      param: "client",
      message: expect.stringContaining("begin"),
    });
    await host.query("begin isolation level serializable");
    expect(await complete()).toMatchObject({
      code: "invalid_option",
      message: expect.stringContaining("READ COMMITTED"),
    });
    await host.query("rollback");
    expect(
      await thrownBy(shop.storefront.checkout.complete(made.body.data.id, paid(), { client: {} })),
    ).toMatchObject({
      code: "invalid_option",
    });
    const memory = await createShop(memoryStorage());
    const session = await memory.session();
    const told = { ...paid(), store_id: memory.a.id };
    expect(
      await thrownBy(
        memory.storefront.checkout.complete(session.body.data.id, told, { client: host }),
      ),
    ).toMatchObject({
      message: expect.stringContaining("postgresStorage"),
    });
    expect(await events()).toBe(0);
  });
});

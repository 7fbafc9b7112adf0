import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { afterEach, expect, test } from "vitest";
import { createTestShop } from "vitrine/testing";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

const hosts = {
  async express(route: () => Promise<unknown>): Promise<string> {
    const app = express();
    app.get("/refund", async () => route());
    const server = createServer(app).listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/refund`;
  },
  async fastify(route: () => Promise<unknown>): Promise<string> {
    const app = fastify();
    app.get("/refund", async () => route());
    closing.push(() => app.close());
    return `${await app.listen({ port: 0, host: "127.0.0.1" })}/refund`;
  },
};

test.each(Object.entries(hosts))(
  "an error of this library in a route of one's own has its status on %s",
  async (_name, open) => {
    const shop = await createTestShop();
    const coffee = await shop.product({ name: "Coffee", price: 1_000 });
    const order = await shop.pay(await shop.checkout([{ product_id: coffee.id, quantity: 1 }]));
    const { owner } = shop.storefront;
    const wrong = [
      [
        409,
        () =>
          shop.storefront.orders.refund(order.id, {
            ...shop.where,
            reference: "r1",
            amount: 1_001,
          }),
      ],
      [404, () => owner.orders.retrieve({ ...shop.where, order_id: "ord_none" })],
      [400, () => owner.products.create(shop.where.store_id, { name: "" } as never)],
    ] as const;
    for (const [status, call] of wrong) {
      const response = await fetch(await open(call));
      expect([response.status, (await response.text()).length > 0]).toEqual([status, true]);
    }
  },
);

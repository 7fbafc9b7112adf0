import { beforeEach, expect, test, vi } from "vitest";
import { memoryStorage, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { createShop } from "../support/shop.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  return () => vi.useRealTimers();
});

/** A shop whose database can be taken away, and the alarms that its host heard. */
async function openShop() {
  const alarms: { readonly error: string; readonly where: string; readonly repeats: number }[] = [];
  const storage = memoryStorage();
  let isAway = false;
  const products = new Proxy(storage.catalog, {
    get: (catalog, name) => {
      const call: unknown = Reflect.get(catalog, name);
      if (!isAway || typeof call !== "function") return call;
      return () => Promise.reject(new Error("connect ECONNREFUSED"));
    },
  });
  const shop = await createShop(
    { ...storage, catalog: products },
    {
      onError: (error, where, { repeats }) =>
        void alarms.push({ error: String(error), where, repeats }),
    },
  );
  const ask = async (path: string) => (await shop.get(path, { key: shop.a.test.pub })).status;
  return {
    alarms,
    ask,
    takeAway: () => {
      isAway = true;
    },
  };
}

test("an error that repeats is told once a second, with the number that was left out", async () => {
  const { alarms, ask, takeAway } = await openShop();
  takeAway();
  for (let turn = 0; turn < 300; turn += 1) expect(await ask(`/products/p${turn}`)).toBe(500);
  expect(alarms).toEqual([
    { error: expect.stringContaining("ECONNREFUSED"), where: expect.any(String), repeats: 0 },
  ]);

  vi.advanceTimersByTime(999);
  await ask("/products/p");
  expect(alarms).toHaveLength(1);
  vi.advanceTimersByTime(1);
  await ask("/products/p");
  await ask("/products/p");
  expect(alarms.map(({ repeats }) => repeats)).toEqual([0, 300]);
});

test("another place, and other words, are another alarm at once", async () => {
  const alarms: string[] = [];
  let words = "closed";
  const gateway = (id: string): PaymentGateway => ({
    ...sandboxGateway(),
    id,
    parseNotification: () => Promise.reject(new Error(words)),
  });
  const shop = await createShop(memoryStorage(), {
    gateways: [gateway("one"), gateway("two")],
    onError: (error, where) => void alarms.push(`${where} ${(error as Error).cause}`),
  });
  const send = (id: string) =>
    shop.storefront.notifications.handler(
      new Request(`https://shop.example.com/notifications/gateways/${id}/test`, {
        method: "POST",
        body: "{}",
      }),
    );

  for (const id of ["one", "two", "one", "two"]) await send(id);
  words = "refused";
  await send("one");
  expect(alarms).toEqual([
    "notification:one Error: closed",
    "notification:two Error: closed",
    "notification:one Error: refused",
  ]);
});

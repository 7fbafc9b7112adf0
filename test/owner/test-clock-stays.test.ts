import { describe, expect, test } from "vitest";
import { createTestShop } from "vitrine/testing";
import { storages } from "../support/storages.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const turnedMs = 40 * dayMs;

/** A shop whose receiver answers what it is told, and keeps the signatures that came. */
async function openShop(open: (typeof storages)[number][1]) {
  const receiver = { status: 200, signatures: [] as string[] };
  const shop = await createTestShop({
    storage: await open(),
    sealKey: new Uint8Array(32).fill(7),
    deliverTo(request) {
      receiver.signatures.push(request.headers.get("x-service-signature") ?? "");
      return new Response(null, { status: receiver.status });
    },
  });
  const { owner } = shop.storefront;
  const [endpoint] = await owner.endpoints.list(shop.where);
  const id = endpoint?.id ?? "";
  const { id: product_id } = await shop.product();
  const sell = async () => shop.pay(await shop.checkout([{ product_id, quantity: 1 }]));
  const turn = async (ms: number) => {
    const turned = await owner.testClock.advance({ store_id: shop.where.store_id, ms });
    expect(turned.status).toBe("ready");
  };
  return { ...shop, owner, receiver, id, sell, turn };
}

describe.each(storages)("a turned clock of the test mode, on %s", (_name, open) => {
  test("ends no overlap of secrets, which lasts its real time", async () => {
    const { owner, where, id, receiver, sell, turn, advanceClock, storefront } =
      await openShop(open);
    await owner.endpoints.rotateSecret(where, id, { overlap_seconds: 2 * 3_600 });
    await turn(turnedMs);
    await sell();
    const signed = () => receiver.signatures.splice(0).map((text) => text.match(/v1=/g)?.length);
    const both = signed();
    expect(both.length).toBeGreaterThan(0);
    expect(new Set(both)).toEqual(new Set([2]));

    await advanceClock(2 * hourMs + 1_000);
    receiver.signatures.length = 0;
    await sell();
    const one = signed();
    expect(one.length).toBeGreaterThan(0);
    expect(new Set(one)).toEqual(new Set([1]));
    await storefront.close();
  });

  test("disables no endpoint before 72 real hours of failures, however many there were", async () => {
    const { owner, where, id, receiver, sell, turn, advanceClock, storefront } =
      await openShop(open);
    receiver.status = 500;
    for (const _ of [1, 2, 3]) await sell();
    await turn(turnedMs);
    const failed = async () =>
      (await owner.deliveries.list({ ...where, endpoint_id: id, state: "exhausted", limit: 100 }))
        .data;
    expect(receiver.signatures.length).toBeGreaterThan(20);
    expect((await failed()).length).toBeGreaterThan(2);
    expect(await owner.endpoints.retrieve(where, id)).toMatchObject({ state: "enabled" });
    const alerts = async () =>
      (await owner.alerts.list(where.store_id)).data
        .map(({ type }) => type)
        .filter((type) => type.startsWith("endpoint_"));
    expect(await alerts()).toEqual([]);

    await advanceClock(25 * hourMs);
    await sell();
    await advanceClock(hourMs);
    expect(await alerts()).toEqual(["endpoint_failing"]);

    await advanceClock(50 * hourMs);
    await sell();
    await advanceClock(hourMs);
    expect(await owner.endpoints.retrieve(where, id)).toMatchObject({
      state: "disabled",
      disabled_reason: "failing",
    });
    await storefront.close();
  });

  test("deletes events by their real age, whatever time they tell", async () => {
    const { call, sell, turn, advanceClock, storefront } = await openShop(open);
    await sell();
    await turn(turnedMs);
    await advanceClock(10 * dayMs);
    await sell();
    // The feed leaves out an event whose bytes are gone.
    const numbers = async () => {
      const { body } = await call("GET", "/events?limit=100");
      return (body as { data: { sequence: number }[] }).data.map(({ sequence }) => sequence);
    };
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6]);
    await advanceClock(19 * dayMs);
    expect(await numbers()).toEqual([1, 2, 3, 4, 5, 6]);
    await advanceClock(2 * dayMs);
    expect(await numbers()).toEqual([4, 5, 6]);

    await advanceClock(10 * dayMs);
    expect(await numbers()).toEqual([6]);
    await storefront.close();
  });
});

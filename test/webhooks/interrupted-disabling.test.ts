import { describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const events = 10;

type Webhooks = Storage["webhooks"];

/** The storage with other webhook steps in place of some of its own. */
function withSteps(storage: Storage, steps: Partial<Webhooks>): Storage {
  const webhooks = new Proxy(storage.webhooks, {
    get: (target, name) => Reflect.get(name in steps ? steps : target, name),
  });
  return { ...storage, webhooks };
}

/** Fails the first calls of a step as the test says: before the storage has done it, or after. */
const failing = <Given extends unknown[], Result>(
  step: (...given: Given) => Promise<Result>,
  when: "before" | "after",
) => {
  const state = { failures: 0 };
  const run = async (...given: Given): Promise<Result> => {
    const fails = state.failures > 0;
    if (fails) state.failures -= 1;
    if (fails && when === "before") throw new Error("connection refused");

    const result = await step(...given);
    if (fails) throw new Error("connection lost before the answer");
    return result;
  };
  return { state, run };
};

describe.each(storages)("a disabling that is interrupted, on %s", (_name, open) => {
  const refuse = { ok: false, status: 500, error: "http_status" } as const;
  const partition = ({ a }: Shop) => ({ store_id: a.id, livemode: false });

  /**
   * A shop whose only endpoint has refused its events for 73 hours: the next outcome disables it, also
   * when a slow machine writes the outcomes of a drain one by one.
   */
  async function almostDisabled(storage: Storage) {
    const shop = await createShop(storage, { limits: { checkout: null } });
    const { id } = await shop.owner.endpoints.create({
      ...partition(shop),
      url: "https://hooks.example.com/in",
      event_types: ["order.paid"],
    });
    for (let count = 0; count < events; count += 1) await shop.buy();
    shop.receiver.answer = () => refuse;
    for (let tries = 0; tries < 2; tries += 1) {
      expect(await shop.storefront.drainWebhooks()).toMatchObject({ rescheduled: events });
      shop.advance(hour);
    }

    shop.advance(72 * hour);
    return { shop, id };
  }

  async function stateOf(shop: Shop, id: string) {
    const where = partition(shop);
    const { data } = await shop.owner.deliveries.list({ ...where, endpoint_id: id, limit: 100 });
    const alerts = (await shop.owner.alerts.list(shop.a.id)).data;
    return {
      endpoint: (await shop.owner.endpoints.retrieve(where, id)).disabled_reason,
      deliveries: [...new Set(data.map(({ state }) => state))],
      alerts: alerts.map(({ type }) => type),
      told: shop.alerts,
    };
  }

  const whole = {
    endpoint: "failing",
    deliveries: ["skipped"],
    alerts: ["endpoint_disabled"],
    told: ["endpoint_disabled"],
  };

  /** Nothing is lost: each event comes once more when the owner enables the endpoint. */
  async function expectReplay(shop: Shop, id: string): Promise<void> {
    shop.receiver.answer = () => ({});
    shop.posts.splice(0);
    const replay_since = new Date(shop.now() - 200 * hour);
    await shop.owner.endpoints.enable(partition(shop), id, { replay_since });
    await shop.storefront.drainWebhooks();
    const sent = shop.posts.map(({ headers }) => headers["X-Service-Event-Id"]);
    expect([sent.length, new Set(sent).size]).toEqual([events, events]);
  }

  test("by an answer of the storage that is lost: it is disabled and told once", async () => {
    const storage = await open();
    const settle = failing(storage.webhooks.settleDeliveries.bind(storage.webhooks), "after");
    const { shop, id } = await almostDisabled(withSteps(storage, { settleDeliveries: settle.run }));

    settle.state.failures = 1;
    await shop.storefront.drainWebhooks();
    await shop.storefront.drainWebhooks();
    expect(await stateOf(shop, id)).toEqual(whole);
    await expectReplay(shop, id);
  });

  test("by a storage that cannot skip the deliveries: drains skip them when they are due", async () => {
    const storage = await open();
    const skip = failing(storage.webhooks.skipDeliveries.bind(storage.webhooks), "before");
    const { shop, id } = await almostDisabled(withSteps(storage, { skipDeliveries: skip.run }));

    skip.state.failures = 1;
    const report = await shop.storefront.drainWebhooks();
    expect(report).toMatchObject({ endpoints_disabled: 1, lease_lost: 0 });
    const { attempted, delivered, rescheduled, exhausted } = report;
    expect(delivered + rescheduled + exhausted).toBe(attempted);

    shop.advance(hour);
    await shop.storefront.drainWebhooks();
    expect(await stateOf(shop, id)).toEqual(whole);
    await expectReplay(shop, id);
  });

  test.each(["before", "after"] as const)(
    "by the end of the process %s the storage has written it: another one finishes it",
    async (when) => {
      const storage = await open();
      let isDying = false;
      let reached = (): void => {};
      const died = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const { shop, id } = await almostDisabled(
        withSteps(storage, {
          async settleDeliveries(settlements, now) {
            if (isDying && when === "before") return dead();
            const settled = await storage.webhooks.settleDeliveries(settlements, now);
            return isDying ? dead() : settled;
          },
        }),
      );
      const dead = (): Promise<never> => {
        reached();
        return new Promise(() => {});
      };

      isDying = true;
      void shop.storefront.drainWebhooks().catch(() => {});
      await died;
      isDying = false;
      if (when === "before") expect((await stateOf(shop, id)).endpoint).toBeNull();

      // The leases of the dead process have ended.
      shop.advance(hour);
      await shop.storefront.drainWebhooks();
      expect(await stateOf(shop, id)).toEqual(whole);
      await expectReplay(shop, id);
    },
  );

  test("by the owner's process that dies before it skips: no event of that time is sent", async () => {
    const storage = await open();
    const skip = failing(storage.webhooks.skipDeliveries.bind(storage.webhooks), "before");
    const { shop, id } = await almostDisabled(withSteps(storage, { skipDeliveries: skip.run }));

    skip.state.failures = 1;
    const disabling = shop.owner.endpoints.disable(partition(shop), id);
    await expect(disabling).rejects.toThrow();
    expect((await stateOf(shop, id)).endpoint).toBe("owner");

    // Enabled again without `replay_since`, the endpoint begins with what comes from now on.
    await shop.owner.endpoints.enable(partition(shop), id);
    shop.receiver.answer = () => ({});
    shop.posts.splice(0);
    await shop.buy();
    expect(await shop.storefront.drainWebhooks()).toMatchObject({ attempted: 1, delivered: 1 });
  });
});

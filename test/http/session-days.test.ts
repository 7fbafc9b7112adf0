import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { codeOf, createShop, start } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;
const nextDay = Date.UTC(2026, 0, 16);

describe.each(storages)("a bound of sessions per day, on %s", (_name, open) => {
  const bounded = async (options = {}) =>
    createShop(await open(), { limits: { checkout: null }, maxSessionsPerDay: 2, ...options });
  const withKey = (key: string) => ({ headers: { "idempotency-key": key } });

  test("refuses one more with 429 until the next UTC day, and its key stays free", async () => {
    const shop = await bounded();
    const first = await shop.session({}, withKey("first"));
    expect([first.status, (await shop.session()).status]).toEqual([201, 201]);

    shop.advance(500);
    const refused = await shop.session({}, withKey("k"));
    expect(codeOf(refused)).toEqual([429, "rate_limit_exceeded"]);
    expect(refused.headers["retry-after"]).toBe(String((nextDay - start) / 1_000));

    const replayed = await shop.session({}, withKey("first"));
    expect([replayed.status, replayed.text]).toEqual([201, first.text]);

    shop.advance(nextDay - 1 - shop.now());
    const last = await shop.session({}, withKey("k"));
    expect([last.status, last.headers["retry-after"]]).toEqual([429, "1"]);

    // Another body goes with the key: the refusal has stored nothing under it.
    shop.advance(1);
    expect((await shop.session({ metadata: { a: "b" } }, withKey("k"))).status).toBe(201);
  });

  test("counts every key and address of a store together, other stores and modes alone", async () => {
    const shop = await bounded();
    expect((await shop.session({}, { ip: "203.0.113.1" })).status).toBe(201);
    expect((await shop.session({}, { key: shop.a.test.sec, ip: "203.0.113.2" })).status).toBe(201);
    expect((await shop.session({}, { ip: "203.0.113.3" })).status).toBe(429);

    expect((await shop.session({}, { key: shop.a.live.pub })).status).toBe(201);
    const foreign = {
      items: [{ product_id: shop.foreign.id, quantity: 1 }],
      success_url: "https://shop.example-b.com/ok",
      cancel_url: "https://shop.example-b.com/ok",
    };
    expect((await shop.session(foreign, { key: shop.b.test.pub })).status).toBe(201);
  });

  test("counts a session whose address the host's code builds once, however often it fails", async () => {
    const built: string[] = [];
    const url = ({ id }: { readonly id: string }): string => {
      built.push(id);
      if (built.length <= 2) throw new Error("The provider is down.");
      return `https://psp.example.com/${id}`;
    };
    const shop = await bounded({ checkout: { url } });
    for (const status of [503, 503, 201, 201])
      expect((await shop.session({}, withKey("k"))).status).toBe(status);
    expect((await shop.session()).status).toBe(201);

    const refused = await shop.session();
    expect([refused.status, refused.headers["retry-after"]]).toEqual([
      429,
      String((nextDay - start) / 1_000),
    ]);
    expect(built).toHaveLength(4);
  });

  test("lets ten of forty requests at once through two storefronts on one storage", async () => {
    const storage = await open();
    const options = { limits: { checkout: null }, maxSessionsPerDay: 10 };
    const [shop, other] = [await createShop(storage, options), await createShop(storage, options)];
    const { id } = shop.product;
    const asked = Array.from({ length: 40 }, (_, index) =>
      (index % 2 ? shop : other).session(
        { items: [{ product_id: id, quantity: 1 }] },
        { key: shop.a.test.pub, ...withKey(`many-${index}`) },
      ),
    );
    const statuses = (await Promise.all(asked)).map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(30).fill(429)]);
  });
});

describe("the option maxSessionsPerDay", () => {
  test.each([0, -1, 1.5, Number.NaN, "10"])("is refused at start-up as %s", async (wrong) => {
    const options = { maxSessionsPerDay: wrong as number };
    await expect(createShop(memoryStorage(), options)).rejects.toMatchObject({
      code: "invalid_option",
      param: "maxSessionsPerDay",
      message:
        "Option maxSessionsPerDay must be a whole number from 1 to 1000000000, or null for any number.",
    });
  });

  test.each([null, undefined])("sets no bound as %s", async (maxSessionsPerDay) => {
    const options = { limits: { checkout: null }, maxSessionsPerDay };
    const shop = await createShop(memoryStorage(), options as object);
    shop.advance(hour);
    for (let count = 0; count < 12; count += 1) expect((await shop.session()).status).toBe(201);
  });
});

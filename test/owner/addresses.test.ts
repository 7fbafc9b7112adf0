import { beforeEach, expect, test } from "vitest";
import { matchReturnUrl } from "../../src/domain/url-rules.ts";
import { judgeWebhookUrl } from "../../src/webhooks/send/address-rules.ts";
import { type Bench, createBench, createShop, refusalOf } from "./bench.ts";

let bench: Bench;
let store_id: string;
beforeEach(async () => {
  bench = createBench();
  store_id = await createShop(bench);
});

test("an origin is stored serialised and added once", async () => {
  expect(await bench.origins.add(store_id, "https://SHOP.example.com:443")).toBe(
    "https://shop.example.com",
  );
  expect(await bench.origins.add(store_id, "https://shop.example.com")).toBe(
    "https://shop.example.com",
  );
  expect(await bench.origins.add(store_id, "http://localhost:5173")).toBe("http://localhost:5173");
  expect([...(await bench.origins.list(store_id))].sort()).toEqual([
    "http://localhost:5173",
    "https://shop.example.com",
  ]);
  expect(await bench.returnUrls.list(store_id)).toEqual([]);
});

test("a removed origin is gone, whatever its spelling", async () => {
  await bench.origins.add(store_id, "https://shop.example.com");
  bench.changed.length = 0;
  expect(await bench.origins.remove(store_id, "https://SHOP.example.com")).toBe(true);
  expect(bench.changed).toEqual([store_id]);
  expect(await bench.origins.remove(store_id, "https://shop.example.com")).toBe(false);
  expect(await bench.origins.list(store_id)).toEqual([]);
});

test.each([
  "http://shop.example.com",
  "https://shop.example.com/path",
  "https://*.example.com",
  "https://user@shop.example.com",
  "https://shop.example.com?x=1",
  "https://shop.example.com#x",
  "null",
  "",
])("%j is no origin that can be registered", async (origin) => {
  expect(await refusalOf(() => bench.origins.add(store_id, origin))).toMatchObject({
    code: "invalid_origin",
    param: "origin",
  });
});

test.each([
  "http://shop.example.com/ok",
  "ftp://shop.example.com/",
  "/thanks",
  "https://user:pw@shop.example.com/",
  "",
])("%j is no return URL that can be registered", async (url) => {
  expect(await refusalOf(() => bench.returnUrls.add(store_id, url))).toMatchObject({
    code: "invalid_return_url",
    param: "return_url",
  });
});

test("return URLs are https, or http://localhost", async () => {
  await bench.returnUrls.add(store_id, "https://shop.example.com/thanks");
  await bench.returnUrls.add(store_id, "http://localhost:3000/thanks");
  expect(await bench.returnUrls.list(store_id)).toHaveLength(2);
});

test("a store holds at most 100 origins, counted apart from its return URLs", async () => {
  for (let i = 0; i < 100; i++) await bench.origins.add(store_id, `https://s${i}.example.com`);
  expect(
    await refusalOf(() => bench.origins.add(store_id, "https://one-more.example.com")),
  ).toMatchObject({ code: "invalid_origin" });
  expect(await bench.origins.add(store_id, "https://s7.example.com")).toBe(
    "https://s7.example.com",
  );
  expect(await bench.origins.list(store_id)).toHaveLength(100);
  await bench.returnUrls.add(store_id, "https://shop.example.com/thanks");
});

test("alerts are listed newest first, in pages", async () => {
  for (const n of [1, 2, 3]) {
    const alert = {
      id: `alr_${n}`,
      store_id,
      livemode: false,
      type: "oversold",
      subject: `ord_${n}`,
      data: { n },
      created_at: n * 1000,
    };
    await bench.storage.access.raiseAlert(alert, 0);
  }
  const first = await bench.alerts.list(store_id, { limit: 2 });
  expect(first).toMatchObject({
    has_more: true,
    data: [{ id: "alr_3", created_at: "1970-01-01T00:00:03.000Z" }, { id: "alr_2" }],
  });
  const second = await bench.alerts.list(store_id, { limit: 2, starting_after: first.next_cursor });
  expect(second).toMatchObject({
    has_more: false,
    next_cursor: null,
    data: [{ id: "alr_1", data: { n: 1 } }],
  });
});

// URL.canParse of Node 20 refused valid addresses from its four thousandth call on.
test.each([
  [
    "a return URL",
    (raw: string) => matchReturnUrl(raw, ["https://xn--mnchen-3ya.example.com/ok"]) !== null,
  ],
  ["a webhook address", (raw: string) => judgeWebhookUrl(raw.replace(".example.com", ".de")).ok],
])("%s with letters such as ü is judged alike however often it is asked", (_name, judge) => {
  let refused = 0;
  for (let turn = 0; turn < 20_000; turn += 1)
    if (!judge("https://münchen.example.com/ok?größe=1")) refused += 1;
  expect(refused).toBe(0);
});

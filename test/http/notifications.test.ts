import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiError, memoryStorage, type StorefrontOptions, sandboxGateway } from "vitrine";
import {
  type GatewayMessage,
  type GatewayNotification,
  type PaymentGateway,
  sandboxNotification,
} from "vitrine/gateway";
import type { WireRequest } from "vitrine/node";
import { patience } from "../support/patience.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const secret = "whsec_sandbox";
const address = "/notifications/gateways/sandbox/test";

type Parse = NonNullable<PaymentGateway["parseNotification"]>;

/** The sandbox, whose messages are JSON lists of facts unless the test reads them itself. */
const gatewayWith = (parse?: Parse): PaymentGateway => ({
  ...sandboxGateway({ notificationSecret: secret }),
  ...(parse ? { parseNotification: parse } : {}),
});
const listOf: Parse = async ({ body }) => JSON.parse(new TextDecoder().decode(body));

const post = (body: string | Uint8Array, changes: Partial<WireRequest> = {}): WireRequest => ({
  method: "POST",
  target: address,
  header: () => undefined,
  async body(limit) {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
    return bytes.length > limit ? null : bytes;
  },
  ...changes,
});

const send = async (shop: Shop, request: WireRequest) => {
  const reply = await shop.storefront.notifications.serve(request);
  if (!reply) throw new Error("The path was not ours.");
  expect(reply.headers).toMatchObject({
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "x-request-id": expect.stringMatching(/^req_/),
  });
  return reply;
};
const statusOf = async (shop: Shop, request: WireRequest) => (await send(shop, request)).status;

describe.each(storages)("POST {notificationsPath}/gateways/{id}/{mode}, on %s", (_name, open) => {
  let shop: Shop;
  const openShop = async (parse?: Parse, options: Partial<StorefrontOptions> = {}) => {
    shop = await createShop(await open(), {
      limits: { checkout: null },
      gateways: [gatewayWith(parse)],
      ...options,
    });
  };
  /** Submits a payment that waits for its message, and gives what the provider knows of it. */
  const pending = async () => {
    const made = await shop.session();
    const { order } = await shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome: "pending_then_succeed" },
    });
    const where = { store_id: shop.a.id, livemode: false };
    const found = await shop.storage.orders.findCheckout(where, made.body.data.id);
    return { order, reference: found?.attempt?.reference ?? "" };
  };
  const paid = (notification_id: string, reference: string, changes: object = {}) =>
    ({
      type: "payment",
      notification_id,
      reference,
      status: "succeeded",
      amount: 1000,
      currency: "BRL",
      ...changes,
    }) as GatewayNotification;
  const statusesOf = async () =>
    (await shop.get("/orders", { key: shop.a.test.sec })).body.data.map(
      (order: { status: string }) => order.status,
    );
  const events = async () =>
    (await shop.get("/events?limit=100", { key: shop.a.test.sec })).body.data.map(
      (event: { type: string }) => event.type,
    );

  test("a signed message pays its order once, also when it comes twice or below /pix", async () => {
    await openShop();
    const { reference } = await pending();
    const message = await sandboxNotification(secret, paid("n1", reference));
    const signed = { header: message.header };

    expect(await statusOf(shop, post(message.body, signed))).toBe(200);
    expect(await statusesOf()).toEqual(["paid"]);
    const written = await events();
    for (const target of [address, `${address}/pix`, `${address}?secret=1`])
      expect(await statusOf(shop, post(message.body, { ...signed, target }))).toBe(200);
    expect(await events()).toEqual(written);
  });

  test("a wrong signature is 400, changes nothing, and is reported without a word of the message", async () => {
    await openShop();
    const { reference } = await pending();
    const { body, header } = await sandboxNotification("whsec_other", paid("n1", reference));
    expect(await statusOf(shop, post(body, { header }))).toBe(400);
    expect(await statusOf(shop, post(body))).toBe(400);
    expect(await statusesOf()).toEqual(["pending"]);
    expect(shop.errors).toMatchObject([
      { code: "notification_refused" },
      { code: "notification_refused" },
    ]);
    expect(shop.log.join("\n")).not.toContain(reference);
  });

  test("each fact of a list counts once; one that fails keeps no other back and makes it come again", async () => {
    await openShop(listOf);
    const [first, second] = [await pending(), await pending()];
    const unreadable = paid("n2", first.reference, { status: "voided" });
    const list = [paid("n1", first.reference), unreadable, paid("n3", second.reference)];

    expect(await statusOf(shop, post(JSON.stringify(list)))).toBe(500);
    expect(await statusesOf()).toEqual(["paid", "paid"]);
    const written = await events();
    expect(await statusOf(shop, post(JSON.stringify(list)))).toBe(500);
    expect(await events()).toEqual(written);

    const mended = [list[0], list[2], list[0]];
    expect(await statusOf(shop, post(JSON.stringify(mended)))).toBe(200);
    expect(await events()).toEqual(written);
    // The same words from the same place are told of once a second, or twice where that is slow.
    expect(shop.errors).not.toEqual([]);
    for (const error of shop.errors)
      expect(error).toMatchObject({ code: "invalid_gateway_result" });
  });

  test("the same list ten times at once applies each fact once", async () => {
    await openShop(listOf);
    const found = [await pending(), await pending(), await pending()];
    const list = found.map(({ reference }, index) => paid(`n${index}`, reference));

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => statusOf(shop, post(JSON.stringify(list)))),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await statusesOf()).toEqual(["paid", "paid", "paid"]);
    expect((await events()).filter((type: string) => type === "order.paid")).toHaveLength(3);
    expect(shop.alerts).toEqual([]);
  });

  test("a storage that fails on the second fact is 503; the message sent again applies the rest once", async () => {
    const storage = await open();
    let left = Number.POSITIVE_INFINITY;
    const step: typeof storage.orders.step = async (subject, decide) => {
      if (subject.step === "applyPayment") left -= 1;
      if (left < 0) throw new ApiError("service_unavailable", { cause: new Error("down") });
      return storage.orders.step(subject, decide);
    };
    const orders: typeof storage.orders = Object.assign(Object.create(storage.orders), { step });
    shop = await createShop(
      { ...storage, orders },
      { limits: { checkout: null }, gateways: [gatewayWith(listOf)] },
    );
    const found = [await pending(), await pending(), await pending()];
    const list = found.map(({ reference }, index) => paid(`n${index}`, reference));

    left = 1;
    const down = await send(shop, post(JSON.stringify(list)));
    expect([down.status, down.headers["retry-after"]]).toEqual([503, "30"]);
    expect((await statusesOf()).sort()).toEqual(["paid", "pending", "pending"]);

    left = Number.POSITIVE_INFINITY;
    expect(await statusOf(shop, post(JSON.stringify(list)))).toBe(200);
    expect(await statusesOf()).toEqual(["paid", "paid", "paid"]);
    expect((await events()).filter((type: string) => type === "order.paid")).toHaveLength(3);
  });

  test("what is not ours is 200; a new id of ours that is unknown is 409 until it is 15 minutes old", async () => {
    const pay = "pay_01KF0QZ6G0F2G4H6J8K0M2N4PQ";
    await openShop(listOf);
    expect(await statusOf(shop, post("[]"))).toBe(200);
    expect(await statusOf(shop, post(JSON.stringify([paid("n1", "elsewhere")])))).toBe(200);

    const { timeOfId } = await import("../../src/domain/keys/ids.ts");
    shop.advance((timeOfId("pay", pay) ?? 0) - shop.now());
    const ours = JSON.stringify([paid("n2", "late", { payment_id: pay })]);
    expect(await statusOf(shop, post(ours))).toBe(409);
    shop.advance(15 * 60_000);
    expect(await statusOf(shop, post(ours))).toBe(200);
    expect(shop.alerts).toEqual(["unknown_payment"]);
  });
});

describe("the address of a gateway", () => {
  let shop: Shop;
  const calls: GatewayMessage[] = [];
  const recording: Parse = async (message) => {
    calls.push(message);
    return [];
  };
  const ask = (target: string, method = "POST") =>
    shop.storefront.notifications.serve(post("{}", { target, method }));
  beforeEach(async () => {
    calls.length = 0;
    shop = await createShop(memoryStorage(), {
      gateways: [gatewayWith(recording), { ...gatewayWith(recording), id: "bank one" }],
      publicUrl: "https://api.example.com/",
    });
  });

  test("an unknown gateway, mode or address below it is 404", async () => {
    for (const rest of ["other/test", "sandbox/live", "sandbox/staging", "sandbox", "", "%zz/test"])
      expect((await ask(`/notifications/gateways/${rest}`))?.status, rest).toBe(404);
    for (const rest of ["/other", "/pix/pix", "/"])
      expect((await ask(`${address}${rest}`))?.status, rest).toBe(404);
    expect(calls).toEqual([]);
    expect((await ask("/notifications/gateways/bank%20one/test"))?.status).toBe(200);
  });

  test("a gateway that reads no messages is 404", async () => {
    const mute = await createShop(memoryStorage(), { gateways: [sandboxGateway()] });
    expect(await statusOf(mute, post("{}"))).toBe(404);
  });

  test("a method other than POST is 405 with Allow", async () => {
    for (const method of ["GET", "HEAD", "PUT", "OPTIONS"]) {
      const reply = await ask(address, method);
      expect([reply?.status, reply?.headers["allow"]]).toEqual([405, "POST"]);
      expect(reply?.body === null).toBe(method === "HEAD");
    }
    expect(calls).toEqual([]);
  });

  test("any other path is the host's, and the handler answers it 404", async () => {
    for (const path of ["/", "/v1/store", "/notifications", "/notifications/other", "/pay/x"]) {
      expect(await ask(path)).toBeNull();
      const request = new Request(`https://api.example.com${path}`, { method: "POST" });
      expect((await shop.storefront.notifications.handler(request)).status).toBe(404);
    }
  });

  test("the gateway gets bytes, address, method, headers in any case and the host's own request", async () => {
    const native = { socket: {} };
    const bytes = new Uint8Array([0xff, 0x00, 0xfe]);
    const header = (name: string) => ({ "x-signature": "s" })[name];
    const target = `${address}/pix?hmac=1`;
    expect(await statusOf(shop, post(bytes, { native, header, target }))).toBe(200);

    const [message] = calls;
    expect(message).toMatchObject({
      body: bytes,
      method: "POST",
      url: "https://api.example.com/notifications/gateways/sandbox/test/pix?hmac=1",
    });
    expect(message?.native).toBe(native);
    expect([message?.header("X-Signature"), message?.header("x-other")]).toEqual(["s", undefined]);
  });

  test("without publicUrl the address is path and query, never the Host header", async () => {
    const bare = await createShop(memoryStorage(), { gateways: [gatewayWith(recording)] });
    const header = (name: string) => (name === "host" ? "evil.example" : undefined);
    await send(bare, post("{}", { header, target: `http://evil.example${address}?a=1` }));
    expect(calls[0]?.url).toBe(`${address}?a=1`);
  });

  test("the path is the host's choice, and one below the API's fails at start-up", async () => {
    const moved = await createShop(memoryStorage(), {
      notificationsPath: "/hooks/psp",
      gateways: [gatewayWith(recording)],
    });
    const target = "/hooks/psp/gateways/sandbox/test";
    expect(await statusOf(moved, post("{}", { target }))).toBe(200);
    for (const notificationsPath of ["/v1", "/v1/hooks", "hooks", "/hooks/", "/a?b", ""])
      expect(
        await thrownBy(createShop(memoryStorage(), { notificationsPath })),
        notificationsPath,
      ).toMatchObject({ code: "invalid_option", param: "notificationsPath" });
    await createShop(memoryStorage(), { notificationsPath: "/v1x" });
  });
});

describe("a message that cannot be taken", () => {
  const openShop = (parse?: Parse) =>
    createShop(memoryStorage(), { gateways: [gatewayWith(parse)] });

  test("above 1 MiB it is 413, by its length and by its bytes", async () => {
    const shop = await openShop(async () => []);
    const mebibyte = 1_048_576;
    expect(await statusOf(shop, post(new Uint8Array(mebibyte)))).toBe(200);
    expect(await statusOf(shop, post(new Uint8Array(mebibyte + 1)))).toBe(413);
    const long = (name: string) => (name === "content-length" ? String(mebibyte + 1) : undefined);
    expect(await statusOf(shop, post("{}", { header: long }))).toBe(413);
  });

  test("whose bytes are gone is 500 and says how to mount; nothing is applied", async () => {
    const parsed: unknown[] = [];
    const shop = await openShop(async (message) => {
      parsed.push(message);
      return [];
    });
    const body = async () => ({ parsed: { id: "evt_1" } });
    expect(await statusOf(shop, post("", { body }))).toBe(500);
    expect(parsed).toEqual([]);
    expect(String(shop.errors[0])).toMatch(/before body parsers.*rawBody.*docs\/embedding\.md/);
    expect(shop.log.join("\n")).toMatch(/before body parsers/);
  });

  test("that broke off is 400, and nobody is told of an error", async () => {
    const shop = await openShop(async () => []);
    const body = () => Promise.reject(Object.assign(new Error("aborted"), { code: "ECONNRESET" }));
    expect(await statusOf(shop, post("", { body }))).toBe(400);
    expect(shop.errors).toEqual([]);
  });

  test("a gateway whose own connection breaks is refused and reported, not taken for a client that broke off", async () => {
    const shop = await openShop(() =>
      Promise.reject(Object.assign(new Error("reset"), { code: "ECONNRESET" })),
    );
    expect(await statusOf(shop, post("{}"))).toBe(400);
    expect(shop.errors).toMatchObject([
      { code: "notification_refused", cause: { code: "ECONNRESET" } },
    ]);
  });

  test("a gateway that cannot check it now is 503", async () => {
    const shop = await openShop(() => Promise.reject(new ApiError("service_unavailable")));
    expect(await statusOf(shop, post("{}"))).toBe(503);
  });

  test("without an answer of the gateway within 20 s it is 503", async () => {
    const shop = await openShop(() => new Promise(() => {}));
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const answered = statusOf(shop, post("{}"));
      await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), {
        interval: 1,
        timeout: patience,
      });
      await vi.advanceTimersByTimeAsync(20_000);
      expect(await answered).toBe(503);
    } finally {
      vi.useRealTimers();
    }
    expect(String(shop.errors[0])).toContain("20 s");
  });

  test("the log names gateway, mode, answer and request, and nothing of the message", async () => {
    const shop = await openShop(async () => {
      throw new SyntaxError('Unexpected token in "Ana Souza"');
    });
    const reply = await send(shop, post("Ana Souza", { target: `${address}?token=t0p` }));
    const log = shop.log.join("\n");
    expect(log).toContain('"gateway":"sandbox","livemode":false,"status":400,"answer":"refused"');
    expect(log).toContain(reply.headers["x-request-id"]);
    expect(log + reply.body).not.toMatch(/Ana|t0p/);
  });
});

describe("bodies of strangers", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    return () => vi.useRealTimers();
  });

  /** A message whose sender stops after so many bytes. */
  const stalled = (bytes: number): Request => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(bytes)),
    });
    const init = { method: "POST", body, duplex: "half" };
    return new Request(`https://shop.example.com${address}`, init as RequestInit);
  };
  const whole = (bytes: number): Request =>
    new Request(`https://shop.example.com${address}`, {
      method: "POST",
      body: new Uint8Array(bytes),
    });
  const openQuietShop = async () => {
    const shop = await createShop(memoryStorage(), { gateways: [gatewayWith(async () => [])] });
    const take = (request: Request) => shop.storefront.notifications.handler(request);
    return { shop, take };
  };

  test("that stall are dropped after 10 s with 408, and nobody is told", async () => {
    const { shop, take } = await openQuietShop();
    const answers = Promise.all([stalled(0), stalled(10), stalled(1_000_000)].map(take));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(await Promise.race([answers, "none"])).toBe("none");
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await answers).map(({ status }) => status)).toEqual([408, 408, 408]);
    expect(shop.errors).toEqual([]);
  });

  test("of more than 64 KiB are held 64 at a time; another is 503, and a small one is taken", async () => {
    const { shop, take } = await openQuietShop();
    const held = Array.from({ length: 64 }, () => take(stalled(65_537)));
    await vi.advanceTimersByTimeAsync(100);
    const next = await take(stalled(65_537));
    expect([next.status, next.headers.get("retry-after")]).toEqual([503, "30"]);
    expect([(await take(whole(65_537))).status, (await take(whole(65_536))).status]).toEqual([
      503, 200,
    ]);

    await vi.advanceTimersByTimeAsync(10_000);
    for (const { status } of await Promise.all(held)) expect(status).toBe(408);
    expect((await take(whole(65_537))).status).toBe(200);
    expect(shop.errors).toEqual([]);
  });
});

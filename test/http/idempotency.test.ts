import { beforeEach, describe, expect, test } from "vitest";
import { createStorefront, type ExternalSession } from "vitrine";
import { claimKey, createSession } from "../../src/steps/key-steps.ts";
import { codeOf, createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const hour = 3_600_000;

describe.each(storages)("idempotent creation of sessions, on %s", (_name, open) => {
  let shop: Shop;
  const off = { limits: { checkout: null } };
  beforeEach(async () => {
    shop = await createShop(await open(), off);
  });
  const withKey = (key: string, body = {}, target = shop) =>
    target.session(body, { headers: { "idempotency-key": key } });

  test("the key is required, and is 1 to 255 visible ASCII characters", async () => {
    for (const key of ["", "  ", '""'])
      expect(codeOf(await withKey(key))).toEqual([400, "missing_idempotency_key"]);
    for (const key of ["x".repeat(256), "a b", "a\u0001b", "é"])
      expect(codeOf(await withKey(key))).toEqual([400, "invalid_idempotency_key"]);
    expect((await withKey("x".repeat(255))).status).toBe(201);
  });

  test("a quoted key is the same as a bare one (RFC 8941)", async () => {
    const first = await withKey("abc");
    expect((await withKey('"abc"')).body.data.id).toBe(first.body.data.id);
  });

  test("the same key and body replay the first answer byte for byte", async () => {
    const [first, second] = [await withKey("k"), await withKey("k")];
    expect([second.status, second.text]).toEqual([first.status, first.text]);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    expect(second.headers).toMatchObject({
      "idempotent-replayed": "true",
      "original-request-id": first.headers["x-request-id"],
    });
    expect(second.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });

  test("bodies are equal as canonical JSON, unknown fields included", async () => {
    const send = (raw: string) =>
      shop.post("/checkout/sessions", {
        key: shop.a.test.pub,
        raw,
        headers: { "idempotency-key": "canonical" },
      });
    const item = `{"product_id":"${shop.product.id}","quantity":1}`;
    const first = await send(
      `{"items":[${item}],"success_url":"${returnUrl}","cancel_url":"${returnUrl}","x":1}`,
    );
    const second = await send(
      `{ "x":1.0, "cancel_url":"${returnUrl}", "success_url":"${returnUrl}", "items":[ ${item} ] }`,
    );
    expect(second.text).toBe(first.text);
    expect(
      codeOf(
        await send(
          `{"items":[${item}],"success_url":"${returnUrl}","cancel_url":"${returnUrl}","x":2}`,
        ),
      ),
    ).toEqual([409, "idempotency_key_reuse"]);
  });

  test("the same key with another body is idempotency_key_reuse, valid or not", async () => {
    await withKey("k");
    for (const body of [{ metadata: { a: 1 } }, { items: [] }])
      expect(codeOf(await withKey("k", body))).toEqual([409, "idempotency_key_reuse"]);
  });

  test("fifty requests at once make one session; the others replay it or must wait", async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => withKey("k")));
    const made = answers.filter((answer) => answer.status === 201);
    expect(new Set(made.map((answer) => answer.body.data.id)).size).toBe(1);
    for (const answer of answers.filter((other) => other.status !== 201)) {
      expect(codeOf(answer)).toEqual([409, "request_in_progress"]);
      expect(answer.headers["retry-after"]).toBe("1");
    }
    expect((await withKey("k")).body.data.id).toBe(made[0]?.body.data.id);
  });

  test("a different body while the first runs is idempotency_key_reuse", async () => {
    const [first, second] = await Promise.all([withKey("k"), withKey("k", { metadata: { a: 1 } })]);
    expect(first.status).toBe(201);
    expect(codeOf(second)).toEqual([409, "idempotency_key_reuse"]);
  });

  test("another process finds the committed row and replays it", async () => {
    const first = await withKey("k");
    const other = createStorefront({
      storage: shop.storage,
      checkout: { baseUrl: "https://pay.example.com/c" },
      docsUrl: "https://docs.example.com/errors",
      sealKey: new Uint8Array(32).fill(3),
      now: shop.now,
    });
    const body = JSON.stringify({
      items: [{ product_id: shop.product.id, quantity: 1 }],
      success_url: returnUrl,
      cancel_url: returnUrl,
    });
    const headers = {
      authorization: `Bearer ${shop.a.test.pub}`,
      "content-type": "application/json",
      "idempotency-key": "k",
    };
    const answer = await other.handler(
      new Request("http://host/v1/checkout/sessions", { method: "POST", headers, body }),
      {
        ip: "203.0.113.9",
      },
    );
    expect(await answer.text()).toBe(first.text);
    expect(answer.headers.get("idempotent-replayed")).toBe("true");
  });

  test("an error releases the key: the corrected body is accepted under it", async () => {
    expect(codeOf(await withKey("k", { items: [] }))).toEqual([400, "parameter_invalid"]);
    expect(codeOf(await withKey("k", { coupon_code: "NOPE" }))).toEqual([400, "coupon_invalid"]);
    expect((await withKey("k")).status).toBe(201);
  });

  test("a thousand distinct keys, a hundred at once, make a thousand sessions", async () => {
    const ids = new Set<string>();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => withKey(`many-${round}-${index}`)),
      );
      for (const answer of answers) ids.add(answer.body.data.id);
    }
    expect(ids.size).toBe(1000);
  }, 60_000);

  test("a key is kept for 24 hours and can be used anew after that", async () => {
    const first = await withKey("k");
    shop.advance(24 * hour - 1);
    expect((await withKey("k")).text).toBe(first.text);
    shop.advance(1);
    const later = await withKey("k");
    expect(later.status).toBe(201);
    expect(later.body.data.id).not.toBe(first.body.data.id);
  });

  test("the same Idempotency-Key is another one for a publishable and a secret key", async () => {
    const headers = { "idempotency-key": "k" };
    const [first, second] = [
      await shop.session({}, { headers }),
      await shop.session({}, { headers, key: shop.a.test.sec }),
    ];
    expect(second.body.data.id).not.toBe(first.body.data.id);
  });

  test("the buyer's identity is part of the fingerprint", async () => {
    const { token } = await shop.storefront.customers.issueToken({
      store_id: shop.a.id,
      livemode: false,
      customer_id: "u1",
    });
    await withKey("k");
    expect(
      codeOf(
        await shop.session(
          {},
          { headers: { "idempotency-key": "k", "x-service-customer-token": token } },
        ),
      ),
    ).toEqual([409, "idempotency_key_reuse"]);
  });

  test("neither the stored reply nor the stored session holds the checkout token", async () => {
    const answer = await withKey("k");
    const signature = shop.tokenOf(answer).split(".").at(-1);
    const stored = await shop.storage.checkout.findSession(
      { store_id: shop.a.id, livemode: false },
      answer.body.data.id,
    );
    expect(JSON.stringify(stored)).not.toContain(signature);
  });

  describe("with an external checkout.url", () => {
    const external = async (url: (session: ExternalSession) => string | Promise<string>) =>
      createShop(await open(), { ...off, checkout: { url } });

    test("the builder receives the session; its address is answered and replayed", async () => {
      const built: string[] = [];
      const outside = await external(
        (session) => `https://psp.example.com/${built.push(session.id)}/${session.amount_total}`,
      );
      const [first, second] = [await withKey("k", {}, outside), await withKey("k", {}, outside)];
      expect(first.body.data.checkout_url).toBe("https://psp.example.com/1/1000");
      expect(built).toEqual([first.body.data.id]);
      expect(second.text).toBe(first.text);
    });

    test("an equal request while the builder runs is 409 request_in_progress", async () => {
      let finish: ((url: string) => void) | null = null;
      const outside = await external(
        () =>
          new Promise((resolve) => {
            finish = resolve;
          }),
      );
      const first = withKey("k", {}, outside);
      await expect.poll(() => finish !== null).toBe(true);
      expect(codeOf(await withKey("k", {}, outside))).toEqual([409, "request_in_progress"]);
      (finish as unknown as (url: string) => void)("https://psp.example.com/x");
      expect((await first).status).toBe(201);
    });

    test("a failing builder is 503; the retry receives the same session id", async () => {
      const ids: string[] = [];
      const results = ["http://psp.example.com/x", "nonsense", "", "https://psp.example.com/ok"];
      const outside = await external((session) => {
        ids.push(session.id);
        if (ids.length === 1) throw new Error("psp down");
        return results[ids.length - 2] ?? "";
      });
      for (let attempt = 0; attempt < 4; attempt += 1)
        expect(codeOf(await withKey("k", {}, outside))).toEqual([503, "service_unavailable"]);
      const answer = await withKey("k", {}, outside);
      expect([answer.status, answer.body.data.id]).toEqual([201, ids[0]]);
      expect(new Set(ids).size).toBe(1);
    });

    test("a claim whose lease has ended is taken over; its worker writes nothing", async () => {
      const scope = {
        store_id: shop.a.id,
        livemode: false,
        key_kind: "publishable",
        operation: "createCheckoutSession",
        idempotency_key: "k",
      } as const;
      const { checkout } = shop.storage;
      const now = shop.now();
      const made = (await withKey("other")).body.data.id;
      const session = (await shop.storage.checkout.findSession(scope, made))?.session;
      if (!session) throw new Error("no session");
      const claim = (lock_token: string, id: string, at: number) =>
        claimKey(checkout, scope, {
          fingerprint: "f",
          lock_token,
          session: { ...session, id },
          now: at,
          locked_until: at + 30_000,
        });
      const begun = { outcome: "claimed", session: { id: "cs_1" } };
      expect(await claim("dead", "cs_1", now)).toMatchObject(begun);
      expect(await claim("next", "cs_2", now + 29_999)).toEqual({ outcome: "in_progress" });
      expect(await claim("next", "cs_2", now + 30_000)).toMatchObject(begun);
      const draft = (lock_token: string) => ({
        session: { ...session, id: "cs_1", created_at: now + 30_000 },
        reply: {
          status: 201,
          body: "{}",
          request_id: "req_x",
          session_id: "cs_1",
          fingerprint: "f",
          created_at: now + 30_000,
        },
        lock_token,
      });
      expect(await createSession(checkout, scope, draft("dead"))).toEqual({
        outcome: "in_progress",
      });
      expect(await createSession(checkout, scope, draft("next"))).toEqual({ outcome: "created" });
      expect(
        (
          await createSession(checkout, scope, {
            ...draft("dead"),
            session: { ...draft("dead").session, id: "cs_9" },
          })
        ).outcome,
      ).toBe("replay");
    });
  });
});

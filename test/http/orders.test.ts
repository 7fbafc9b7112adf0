import { beforeEach, describe, expect, test } from "vitest";
import { verifyWebhook } from "vitrine/webhooks";
import { codeOf, createShop, faultOf, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

describe.each(storages)("orders, payment and events, on %s", (_name, open) => {
  let shop: Shop;
  beforeEach(async () => {
    shop = await createShop(await open(), { limits: { checkout: null } });
  });
  const submit = async (
    made: Awaited<ReturnType<Shop["session"]>>,
    outcome = "succeed",
    more = {},
  ) =>
    shop.storefront.checkout.submit(shop.tokenOf(made), {
      payment_method_id: shop.a.method_id,
      input: { outcome },
      ...more,
    });
  const events = async (query = "") =>
    (await shop.get(`/events${query}`, { key: shop.a.test.sec })).body;
  const types = async () =>
    (await events("?limit=100")).data.map((event: { type: string }) => event.type);
  const paid = { status: "paid", amount: 1000, currency: "BRL" } as const;
  const complete = (id: string, changes = {}) =>
    shop.storefront.checkout.complete(id, {
      store_id: shop.a.id,
      livemode: false,
      reference: "r1",
      ...paid,
      ...changes,
    });

  test("the first submission creates and pays the order: three events in one step", async () => {
    const made = await shop.session({ metadata: { cart: "7" } });
    const result = await submit(made);
    expect(result).toMatchObject({
      status: "paid",
      redirect_url: "https://shop.example-a.com/ok",
      order: {
        number: 1,
        status: "paid",
        checkout_session_id: made.body.data.id,
        metadata: { cart: "7" },
      },
    });
    expect(await types()).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
    const { data } = await events();
    expect(data[1].data).toEqual({ order: result.order, previous_status: "pending" });
    expect(data[2].data).toMatchObject({
      checkout_session: { id: made.body.data.id, status: "complete", payment_status: "paid" },
      order: { id: result.order.id, number: 1, status: "paid" },
    });
    expect(
      (await shop.get(`/orders/${result.order.id}`, { key: shop.a.test.sec })).body.data,
    ).toEqual(result.order);
  });

  test("a declined payment fails the order; the next try pays the same order", async () => {
    const made = await shop.session();
    const first = await submit(made, "decline");
    expect(first).toMatchObject({
      status: "failed",
      redirect_url: null,
      order: { status: "failed", failure_code: "declined" },
    });
    const second = await submit(made);
    expect(second).toMatchObject({
      status: "paid",
      order: { id: first.order.id, number: 1, failure_code: null },
    });
    expect(await types()).toEqual([
      "order.created",
      "order.failed",
      "order.paid",
      "checkout.session.completed",
    ]);
  });

  test("a submission after payment gives the same order and starts nothing", async () => {
    const made = await shop.session();
    const first = await submit(made);
    expect((await submit(made, "decline")).order).toEqual(first.order);
    expect(await types()).toHaveLength(3);
  });

  test("twenty submissions at once make one order, one payment, one set of events", async () => {
    const made = await shop.session();
    const results = await Promise.all(Array.from({ length: 20 }, () => submit(made)));
    expect(new Set(results.map((result) => result.order.id)).size).toBe(1);
    expect(await types()).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
  });

  test("with fifty buyers at once, numbers and sequences have no gap and no repeat", async () => {
    const sessions = await Promise.all(Array.from({ length: 50 }, () => shop.session()));
    const results = await Promise.all(sessions.map((made) => submit(made)));
    expect(results.map((result) => result.order.number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, index) => index + 1),
    );
    const first = await events("?limit=100");
    const second = await events(`?limit=100&starting_after=${first.next_cursor}`);
    expect([...first.data, ...second.data].map((event) => event.sequence)).toEqual(
      Array.from({ length: 150 }, (_, index) => index + 1),
    );
  });

  test("submission after 30 minutes is session_expired; the session reads expired", async () => {
    const made = await shop.session();
    shop.advance(1_800_000);
    await expect(submit(made)).rejects.toMatchObject({ code: "session_expired" });
    expect((await shop.storefront.checkout.view(shop.tokenOf(made))).session.status).toBe(
      "expired",
    );
  });

  test("forty buyers of ten pieces make ten orders, and available becomes false", async () => {
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 10 });
    const sessions = await Promise.all(Array.from({ length: 40 }, () => shop.session()));
    const results = await Promise.allSettled(sessions.map((made) => submit(made)));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(10);
    for (const result of results)
      if (result.status === "rejected") expect(result.reason.code).toBe("insufficient_stock");
    const available = async (key: string) =>
      (await shop.get("/products/product-a", { key })).body.data.available;
    expect([await available(shop.a.test.pub), await available(shop.a.live.pub)]).toEqual([
      false,
      true,
    ]);
    expect(faultOf(await shop.session())).toEqual([400, "insufficient_stock", "items"]);
  });

  test("a declined payment gives its pieces back", async () => {
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
    const [one, two] = [await shop.session(), await shop.session()];
    expect((await submit(one, "decline")).status).toBe("failed");
    expect((await submit(two)).status).toBe("paid");
    await expect(submit(one)).rejects.toMatchObject({ code: "insufficient_stock" });
  });

  test("a host's own payment completes a session once by its reference, even late", async () => {
    const { id } = (await shop.session()).body.data;
    shop.advance(7_200_000);
    const order = await complete(id, {
      customer: { id: "u7", tax_id: "12.345.678/0001-95" },
      payment_method: { type: "boleto" },
    });
    expect(order).toMatchObject({
      status: "paid",
      customer: { id: "u7", tax_id: "***.***.678-**", tax_id_type: "cnpj" },
      payment_method: { type: "boleto" },
    });
    expect(await complete(id)).toEqual(order);
    expect(await types()).toEqual(["order.created", "order.paid", "checkout.session.completed"]);
  });

  test("twenty completions at once give the same order, never an error", async () => {
    const { id } = (await shop.session()).body.data;
    const orders = await Promise.all(
      Array.from({ length: 20 }, (_, index) => complete(id, { reference: `r${index % 2}` })),
    );
    expect(new Set(orders.map((order) => order.id)).size).toBe(1);
    expect(await types()).toHaveLength(3);
    expect((await shop.owner.alerts.list(shop.a.id)).data.map((alert) => alert.type)).toEqual([
      "duplicate_payment",
    ]);
  });

  test("a wrong amount or currency is payment_mismatch and changes nothing", async () => {
    const { id } = (await shop.session()).body.data;
    await expect(complete(id, { amount: 999 })).rejects.toMatchObject({
      code: "payment_mismatch",
      param: "amount",
    });
    await expect(complete(id, { currency: "USD" })).rejects.toMatchObject({
      code: "payment_mismatch",
      param: "currency",
    });
    await expect(complete("cs_nope")).rejects.toMatchObject({ code: "resource_not_found" });
    expect(await types()).toEqual([]);
  });

  test("late money pays a failed order; an alert tells when the goods were gone", async () => {
    await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 1 });
    const [late, quick] = [await shop.session(), await shop.session()];
    await submit(late, "decline");
    await submit(quick);
    expect((await complete(late.body.data.id)).status).toBe("paid");
    expect((await shop.owner.alerts.list(shop.a.id)).data.map((alert) => alert.type)).toEqual([
      "oversold",
    ]);
  });

  test("a gateway that throws leaves the order pending: the payment may exist", async () => {
    const broken = {
      id: "sandbox",
      livemode: false,
      methods: () => [],
      createPayment: () => Promise.reject(new Error("socket hang up")),
    };
    const down = await createShop(await open(), { gateways: [broken] });
    const made = await down.session();
    const pay = () =>
      down.storefront.checkout.submit(down.tokenOf(made), {
        payment_method_id: down.a.method_id,
      });
    expect(await pay()).toMatchObject({ status: "pending", order: { status: "pending" } });
    expect((await pay()).status).toBe("pending");
    expect((await down.get("/events", { key: down.a.test.sec })).body.data).toHaveLength(1);
  });

  test("orders list newest first by cursor and filter by status", async () => {
    for (let turn = 0; turn < 5; turn += 1)
      await submit(await shop.session(), turn === 2 ? "decline" : "succeed");
    const list = async (query: string) =>
      (await shop.get(`/orders?${query}`, { key: shop.a.test.sec })).body;
    const first = await list("limit=2");
    expect([first.data.map((order: { number: number }) => order.number), first.has_more]).toEqual([
      [5, 4],
      true,
    ]);
    const rest = await list(`limit=3&starting_after=${first.next_cursor}`);
    expect([
      rest.data.map((order: { number: number }) => order.number),
      rest.has_more,
      rest.next_cursor,
    ]).toEqual([[3, 2, 1], false, null]);
    expect(
      (await list("status=failed")).data.map((order: { number: number }) => order.number),
    ).toEqual([3]);
    expect((await list("status=payd")).error.message).toBe(
      "status must be one of pending, paid, failed, partially_refunded, refunded, chargeback.",
    );
    for (const [path, key] of [
      ["/orders?starting_after=ord_nope", shop.a.test.sec],
      [`/orders?starting_after=${first.next_cursor}`, shop.b.test.sec],
      [`/orders?starting_after=${first.next_cursor}`, shop.a.live.sec],
      ["/events?starting_after=evt_nope", shop.a.test.sec],
    ] as const) {
      expect(faultOf(await shop.get(path, { key }))).toEqual([
        400,
        "invalid_cursor",
        "starting_after",
      ]);
    }
  });

  test("a client that polls /events always has a cursor: the last id it has seen", async () => {
    expect((await events()).next_cursor).toBeNull();
    await submit(await shop.session());
    const first = await events("?limit=2");
    expect(first.has_more).toBe(true);
    const second = await events(`?starting_after=${first.next_cursor}`);
    expect([second.data.length, second.has_more]).toEqual([1, false]);
    const third = await events(`?starting_after=${second.next_cursor}`);
    expect([third.data, third.next_cursor]).toEqual([[], second.next_cursor]);
    await submit(await shop.session());
    expect((await events(`?starting_after=${third.next_cursor}`)).data).toHaveLength(3);
  });

  test("a data route answers 304 to its own tag until something changes", async () => {
    await submit(await shop.session());
    for (const path of ["/orders", "/events"]) {
      const etag = (await shop.get(path, { key: shop.a.test.sec })).headers["etag"] ?? "";
      expect(
        (await shop.get(path, { key: shop.a.test.sec, headers: { "if-none-match": etag } })).status,
      ).toBe(304);
    }
  });

  test("every event is delivered, signed and verified, with its listed bytes", async () => {
    const endpoint = await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://hooks.example.com/in",
    });
    const paidOnly = await shop.owner.endpoints.create({
      store_id: shop.a.id,
      livemode: false,
      url: "https://paid.example.com/in",
      event_types: ["order.paid"],
    });
    await submit(await shop.session());
    expect(await shop.storefront.drainWebhooks()).toMatchObject({
      attempted: 4,
      delivered: 4,
      stopped_by: "idle",
      more: false,
      next_due_at: null,
    });
    const listed = (await events()).data;
    for (const post of shop.posts) {
      const secret = post.url === endpoint.url ? endpoint.secret : paidOnly.secret;
      const header = post.headers["X-Service-Signature"];
      const verdict = await verifyWebhook({
        rawBody: post.body,
        header,
        secret,
        now: Math.floor(shop.now() / 1000),
      });
      expect(verdict).toEqual({
        ok: true,
        event: listed.find(
          (event: { id: string }) => event.id === post.headers["X-Service-Event-Id"],
        ),
      });
      expect(
        (
          await verifyWebhook({
            rawBody: `${post.body} `,
            header,
            secret,
            now: Math.floor(shop.now() / 1000),
          })
        ).ok,
      ).toBe(false);
    }
    expect(
      shop.posts
        .filter((post) => post.url === paidOnly.url)
        .map((post) => post.headers["X-Service-Event-Type"]),
    ).toEqual(["order.paid"]);
    expect(
      (
        await shop.owner.deliveries.list({
          store_id: shop.a.id,
          livemode: false,
          state: "delivered",
        })
      ).data.length,
    ).toBe(4);
  });

  test("a failed delivery is tried again by the schedule and is then exhausted", async () => {
    const partition = { store_id: shop.a.id, livemode: false };
    await shop.owner.endpoints.create({
      ...partition,
      url: "https://hooks.example.com/in",
      event_types: ["order.paid"],
    });
    shop.receiver.answer = () => ({ ok: false, status: 500, error: "http_status" });
    await submit(await shop.session());
    const minute = 60_000;
    for (const wait of [
      minute,
      5 * minute,
      30 * minute,
      120 * minute,
      360 * minute,
      1_440 * minute,
    ]) {
      const drained = await shop.storefront.drainWebhooks();
      expect(drained).toMatchObject({ attempted: 1, rescheduled: 1 });
      const next = new Date(shop.now() + wait).toISOString();
      expect((await shop.owner.deliveries.list(partition)).data[0]?.next_attempt_at).toBe(next);
      // Beside a transaction that stays open, a drain says when it looks again instead.
      expect(drained.next_due_at !== null && drained.next_due_at <= next).toBe(true);
      shop.advance(wait - 1);
      expect((await shop.storefront.drainWebhooks()).attempted).toBe(0);
      shop.advance(1);
    }
    expect(await shop.storefront.drainWebhooks()).toMatchObject({
      attempted: 1,
      exhausted: 1,
    });
    expect(shop.posts.map((post) => post.headers["X-Service-Attempt"])).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
      "7",
    ]);
    const [delivery] = (await shop.owner.deliveries.list(partition)).data;
    expect(delivery).toMatchObject({ state: "exhausted", attempts: 7, next_attempt_at: null });
    expect(
      await shop.owner.deliveries.attempts({
        store_id: shop.a.id,
        livemode: false,
        endpoint_id: delivery?.endpoint_id ?? "",
        event_id: delivery?.event_id ?? "",
      }),
    ).toHaveLength(7);
  });

  test("disabling an endpoint skips what waits for it", async () => {
    const partition = { store_id: shop.a.id, livemode: false };
    const { id } = await shop.owner.endpoints.create({
      ...partition,
      url: "https://hooks.example.com/in",
      event_types: ["order.paid"],
    });
    await submit(await shop.session());
    await shop.owner.endpoints.disable(partition, id);
    await submit(await shop.session());
    expect((await shop.storefront.drainWebhooks()).attempted).toBe(0);
    expect(
      (await shop.owner.deliveries.list(partition)).data.map((delivery) => delivery.state),
    ).toEqual(["skipped", "skipped"]);
  });

  test("tax ids are masked before they are stored; a wrong one refuses no payment", async () => {
    for (const [tax_id, shown] of [
      ["123.456.789-09", "***.***.789-**"],
      ["12345678909", "***.***.789-**"],
      [" 123 456 789 09 ", "***.***.789-**"],
      ["１２３４５６７８９０９", "***.***.789-**"],
      ["12.345.678/0001-95", "***.***.678-**"],
      ["12.ABC.345/01DE-35", "***.***.345-**"],
      ["12.345.A7B/0001-95", null],
      ["1234567890", null],
      ["123456789012345", null],
      ["", null],
      [null, null],
      [{ $gt: "" }, null],
    ] as const) {
      const { order, status } = await submit(await shop.session(), "succeed", {
        customer: { tax_id },
      });
      expect([status, order.customer.tax_id]).toEqual(["paid", shown]);
    }
  });

  test("no answer shows gateway data, fees, split, margin or stock columns", async () => {
    await submit(await shop.session());
    const texts = await Promise.all(
      ["/orders", "/events", "/products", "/store", "/payment-methods", "/categories"].map(
        async (path) => (await shop.get(path, { key: shop.a.test.sec })).text,
      ),
    );
    const hidden =
      "fee|split|margin|gateway|acquirer|net_amount|cost|hash|secret|headless|maintenance|" +
      "blocked|held|store_slug";
    expect(texts.join("")).not.toMatch(new RegExp(`"[^"]*(${hidden})[^"]*":`, "i"));
  });

  test("nothing secret is logged", async () => {
    const { token } = await shop.storefront.customers.issueToken({
      store_id: shop.a.id,
      livemode: false,
      customer_id: "u1",
    });
    await shop.get(`/products?key=${shop.a.live.sec}`, {
      key: shop.a.live.sec,
      headers: { origin: "https://x.example.com", "x-service-customer-token": token },
    });
    await submit(
      await shop.session({}, { headers: { "x-service-customer-token": token } }),
      "succeed",
      {
        customer: { tax_id: "123.456.789-09" },
      },
    );
    expect(shop.log.join("\n")).not.toMatch(
      /hk_(live|test)_(pub|sec)_[0-9A-Za-z]{8,}|whsec_|12345678909|123\.456|eyJ/,
    );
    expect(codeOf(await shop.get("/orders", { key: shop.a.live.pub }))).toEqual([
      403,
      "insufficient_scope",
    ]);
  });
});

import { beforeEach, describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";
import { totalOf } from "./agent-http.ts";
import { profile, type UcpClient, ucpClient, ucpEndpoint } from "./ucp-client.ts";

let shop: Shop;
let send: UcpClient;

async function open(storage = memoryStorage()): Promise<void> {
  shop = await createShop(storage, { limits: { checkout: null, sessions: null } });
  send = ucpClient(ucpEndpoint(shop));
}

const lines = (quantity = 1, id = shop.product.id) => ({
  line_items: [{ item: { id }, quantity }],
});
const create = async (body: object = lines()) => (await send("POST", "/carts", body)).body;
const checkOut = (cart_id: string, more: object = { line_items: [] }) =>
  send("POST", "/checkout-sessions", { cart_id, ...more });
const pay = ({ continue_url }: { continue_url: string }, input?: Record<string, unknown>) =>
  shop.storefront.checkout.submit(continue_url.split("/").at(-1) ?? "", {
    payment_method_id: shop.a.method_id,
    ...(input && { input }),
  });
const isNone = ({ body }: Awaited<ReturnType<UcpClient>>) =>
  expect(body).toMatchObject({ ucp: { status: "error" }, messages: [{ code: "not_found" }] });

describe.each(storages)("a cart by UCP, on %s", (_name, storage) => {
  beforeEach(async () => open(await storage()));

  test("is filled, changed, and becomes a checkout by its id, which the buyer pays", async () => {
    const made = await send("POST", "/carts", lines());
    expect(made).toMatchObject({ status: 201, body: { currency: "BRL", messages: [] } });
    const path = `/carts/${made.body.id}`;
    expect((await send("GET", path)).body).toEqual(made.body);

    const change = {
      ...lines(3),
      buyer: { email: "ana@example.com" },
      discounts: { codes: ["SAVE10"] },
    };
    const changed = await send("PUT", path, change);
    expect(totalOf(changed.body.totals, "total")).toBe(2_700);
    expect((await send("GET", path)).body).toEqual(changed.body);

    const checkout = await checkOut(made.body.id, lines(9));
    expect(checkout.status).toBe(201);
    expect(checkout.body).toMatchObject({
      status: "requires_escalation",
      buyer: { email: "ana@example.com" },
      line_items: changed.body.line_items,
      discounts: { codes: ["SAVE10"] },
    });
    await pay(checkout.body);
    const { body } = await send("GET", `/checkout-sessions/${checkout.body.id}`);
    expect(body).toMatchObject({ status: "completed", order: { label: "#1" } });
    isNone(await send("GET", path));
    isNone(await checkOut(made.body.id));
  });

  test("has one checkout, and what the agent changes there is changed in the cart too", async () => {
    const { id } = await create();
    const [first, second] = await Promise.all([checkOut(id), checkOut(id)]);
    expect(second.body.id).toBe(first.body.id);
    expect(first.body.id).not.toBe(id);

    await send("PUT", `/checkout-sessions/${first.body.id}`, lines(2));
    expect((await send("GET", `/carts/${id}`)).body.line_items[0].quantity).toBe(2);
    await send("PUT", `/carts/${id}`, lines(4));
    expect((await checkOut(id)).body.line_items[0].quantity).toBe(4);
  });

  test("is shown once more when it is canceled, and is none afterwards", async () => {
    const made = await create();
    const path = `/carts/${made.id}`;
    const canceled = await send("POST", `${path}/cancel`, {});
    expect(canceled).toMatchObject({ status: 200, body: made });
    for (const answer of [
      await send("GET", path),
      await send("PUT", path, lines()),
      await send("POST", `${path}/cancel`),
      await checkOut(made.id),
    ])
      isNone(answer);
    await expect(pay(made)).rejects.toMatchObject({ code: "session_expired" });
  });

  test("holds no stock, and what is not there leaves it as it was", async () => {
    const last = await shop.owner.products.create(shop.a.id, {
      ...{ name: "Last one", price: 100, currency: "BRL", stock: 1 },
    });
    const [one, other] = [await create(lines(1, last.id)), await create(lines(1, last.id))];
    const more = await send("PUT", `/carts/${one.id}`, lines(2, last.id));
    expect(more.body).toMatchObject({ id: one.id, line_items: one.line_items });
    expect(more.body.messages[0]).toMatchObject({ code: "out_of_stock", severity: "recoverable" });

    await pay(other);
    const late = await send("POST", "/carts", lines(1, last.id));
    expect(late.body).toMatchObject({
      ucp: { status: "error" },
      messages: [{ code: "out_of_stock" }],
    });
    await expect(pay(one)).rejects.toMatchObject({ code: "insufficient_stock" });
  });

  test("that the buyer is paying for can be read, and neither changed nor canceled", async () => {
    const made = await create();
    const path = `/carts/${made.id}`;
    await pay(made, { outcome: "qr_code" });
    expect((await send("GET", path)).body.id).toBe(made.id);
    for (const answer of [await send("PUT", path, lines(2)), await send("POST", `${path}/cancel`)])
      expect([answer.status, answer.body.code]).toEqual([409, "cart_complete_in_progress"]);
    expect((await send("GET", path)).body.line_items).toEqual(made.line_items);
  });
});

describe("a cart by UCP", () => {
  beforeEach(() => open());

  test("is its agent's own, and no checkout is one", async () => {
    const { id } = await create();
    const headers = { "ucp-agent": 'profile="https://other.example/ucp.json"' };
    isNone(await send("GET", `/carts/${id}`, undefined, { headers }));
    isNone(await send("PUT", `/carts/${id}`, lines(), { headers }));
    isNone(await send("POST", `/carts/${id}/cancel`, undefined, { headers }));
    const taken = { cart_id: id, line_items: [] };
    const answer = await send("POST", "/checkout-sessions", taken, { headers });
    expect(answer.body.messages[0]).toMatchObject({ code: "not_found", path: "$.cart_id" });

    const checkout = (await send("POST", "/checkout-sessions", lines())).body;
    isNone(await send("GET", `/carts/${checkout.id}`));
    isNone(await checkOut(checkout.id));
    isNone(await send("GET", `/checkout-sessions/${id}`));
    for (const none of ["cart_", "cart_none", "../orders", "%00"])
      isNone(await send("GET", `/carts/${encodeURIComponent(none)}`));
  });

  test("ends with its session", async () => {
    const { id, expires_at } = await create();
    shop.advance(Date.parse(expires_at) - shop.now() + 1);
    isNone(await send("GET", `/carts/${id}`));
    isNone(await checkOut(id));
  });

  test("is made once under one key, which may make a checkout besides", async () => {
    const headers = { "idempotency-key": "6f2c8a52-0000-4000-8000-000000000001" };
    const make = (path: string, quantity = 1) => send("POST", path, lines(quantity), { headers });
    const [first, again] = [await make("/carts"), await make("/carts")];
    expect(again.body).toEqual(first.body);
    expect((await make("/carts", 2)).body.code).toBe("idempotency_key_reuse");
    expect((await make("/checkout-sessions")).status).toBe(201);
  });

  test("is refused with the reason when it has no line, or what is no cart", async () => {
    const post = async (path: string, body: unknown) => {
      const { status, body: told } = await send("POST", path, body, { wrong: true });
      return [status, told.code, told.content];
    };
    const none = [400, "invalid_request", expect.stringContaining("line_items must have a line")];
    expect(await post("/carts", { line_items: [] })).toEqual(none);
    expect(await post("/checkout-sessions", { line_items: [] })).toEqual(none);
    expect((await post("/carts", []))[0]).toBe(400);
    expect((await post("/checkout-sessions", { cart_id: 1, line_items: [] }))[0]).toBe(400);
    expect((await send("DELETE", "/carts/cart_1")).headers.get("allow")).toBe("GET, PUT");
  });

  test("counts only for an agent whose profile has carts", async () => {
    const version = "2026-08-25";
    const having = (...names: string[]) => ({
      fetchProfile: async () => ({
        ucp: {
          version,
          capabilities: Object.fromEntries(
            names.map((name) => [`dev.ucp.shopping.${name}`, [{ version }]]),
          ),
        },
      }),
    });
    const { id } = await create();
    send = ucpClient(ucpEndpoint(shop, having("checkout")));
    const refused = await send("GET", `/carts/${id}`);
    expect(refused.body.messages[0].code).toBe("capabilities_incompatible");
    const own = await checkOut(id, lines(2));
    expect(own.body.line_items[0].quantity).toBe(2);

    send = ucpClient(ucpEndpoint(shop, having("cart", "checkout")));
    const made = (await send("GET", `/carts/${id}`)).body;
    expect(Object.keys(made.ucp.capabilities)).toEqual(["dev.ucp.shopping.cart"]);
    expect(made.discounts).toBeUndefined();
    expect((await checkOut(id, lines(2))).body.line_items[0].quantity).toBe(1);
  });

  test("keeps which agent made it, as the order of it does", async () => {
    const made = await create();
    await pay((await checkOut(made.id)).body);
    const where = { store_id: shop.a.id, livemode: false };
    const [order] = (await shop.owner.orders.list(where)).data;
    expect(order).toMatchObject({ channel: "ucp:agent.example", metadata: { ucp_agent: profile } });
  });
});

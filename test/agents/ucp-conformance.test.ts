import { generateKeyPairSync } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { createShop, type Shop } from "../support/shop.ts";
import { totalOf } from "./agent-http.ts";
import { profile, type UcpClient, ucpClient, ucpEndpoint } from "./ucp-client.ts";
import { judge } from "./ucp-schemas.ts";

// Cases of the protocol's own suite, of 2026-01-22, by their names there. Where it is older than the
// schemas of 2026-08-25, the schemas decide. test_version_negotiation is in ucp-checkout.test.ts.
// Left out: what a store without shipping has not (test_complete_without_fulfillment and the
// addresses of orders), payments that an agent makes (test_payment_failure, test_complete_checkout),
// test_buyer_consent, and the fetches of ucp.dev (test_discovery_urls). Of webhook_test the shipping
// is left out, with its two cases of addresses: a refund is what happens to an order here.

let shop: Shop;
let send: UcpClient;
const items: Record<string, string> = {};

beforeEach(async () => {
  shop = await createShop(memoryStorage(), { limits: { checkout: null, sessions: null } });
  const { products, coupons } = shop.owner;
  const flower = { currency: "BRL" };
  const roses = { ...flower, name: "Bouquet of Red Roses", price: 3_500, stock: 1_000 };
  items["roses"] = (await products.create(shop.a.id, roses)).id;
  const none = { ...flower, name: "Gardenias", price: 2_000, stock: 0 };
  items["gardenias"] = (await products.create(shop.a.id, none)).id;
  for (const [code, discount_type, discount_amount] of [
    ["10OFF", "percentage", 10],
    ["WELCOME20", "percentage", 20],
    ["FIXED500", "fixed", 500],
  ] as const)
    await coupons.create(shop.a.id, { ...flower, code, discount_type, discount_amount });

  send = ucpClient(ucpEndpoint(shop));
});

const lines = (quantity = 1, id = items["roses"] ?? "") => ({
  line_items: [{ item: { id }, quantity }],
});
const create = async (body: object = lines()) =>
  (await send("POST", "/checkout-sessions", body)).body;
const update = (id: string, body: object) => send("PUT", `/checkout-sessions/${id}`, body);
const totals = (body: { totals: { type: string; amount: number }[] }) =>
  ["subtotal", "total"].map((type) => totalOf(body.totals, type));

test("test_discovery: the profile has version, service and capabilities", async () => {
  const { status, body } = await send("GET", "/.well-known/ucp");
  expect([status, body.ucp.version]).toEqual([200, "2026-08-25"]);
  expect(Object.keys(body.ucp.capabilities)).toContain("dev.ucp.shopping.checkout");
  expect(Object.keys(body.ucp.capabilities)).toContain("dev.ucp.shopping.discount");
});

test("test_create_checkout, test_get_checkout and test_update_checkout", async () => {
  const made = await create();
  expect(made.id).toBeTruthy();
  expect((await send("GET", `/checkout-sessions/${made.id}`)).body.id).toBe(made.id);
  const [line] = made.line_items;
  const wanted = { line_items: [{ id: line.id, item: { id: line.item.id }, quantity: 2 }] };
  expect((await update(made.id, wanted)).status).toBe(200);
});

test("test_totals_calculation_on_create: the store's price counts, not the request's", async () => {
  const id = items["roses"];
  const item = { id, title: "Wrong Title", price: 1 };
  const body = { line_items: [{ item, quantity: 1 }] };
  const sent = await send("POST", "/checkout-sessions", body, { wrong: true });
  expect(totals(sent.body)).toEqual([3_500, 3_500]);
  expect(totals(sent.body.line_items[0])).toEqual([3_500, 3_500]);
  expect(sent.body.line_items[0].item.title).toBe("Bouquet of Red Roses");
});

test("test_totals_recalculation_on_update", async () => {
  const { body } = await update((await create()).id, lines(2));
  expect(totalOf(body.totals, "total")).toBe(7_000);
});

test("test_discount_flow and test_fixed_amount_discount", async () => {
  const { id } = await create();
  const percent = (await update(id, { ...lines(), discounts: { codes: ["10OFF"] } })).body;
  expect(totalOf(percent.totals, "total")).toBe(3_150);
  expect(percent.discounts.applied[0]).toMatchObject({ code: "10OFF", amount: 350 });

  const fixed = (await update(id, { ...lines(), discounts: { codes: ["FIXED500"] } })).body;
  expect(totalOf(fixed.totals, "total")).toBe(3_000);
  const onItems = (body: { totals: never[] }) => totalOf(body.totals, "items_discount");
  expect(onItems(fixed)).toBe(
    fixed.line_items.reduce((sum: number, line: never) => sum + (onItems(line) ?? 0), 0),
  );

  const none = (await update(id, { ...lines(), discounts: { codes: [] } })).body;
  expect(totalOf(none.totals, "total")).toBe(3_500);
});

test("test_multiple_discounts_one_rejected: the wrong code is told, the right one counts", async () => {
  const wanted = { ...lines(), discounts: { codes: ["INVALID_CODE", "10OFF"] } };
  const { body } = await update((await create()).id, wanted);
  expect(totalOf(body.totals, "total")).toBe(3_150);
  expect(body.discounts.applied.map(({ code }: { code: string }) => code)).toEqual(["10OFF"]);
  expect(body.messages[0]).toMatchObject({
    code: "discount_code_invalid",
    path: "$.discounts.codes[0]",
  });
});

test("test_multiple_discounts: a checkout of ours takes one code, and says so", async () => {
  const made = await create({ ...lines(), discounts: { codes: ["10OFF", "WELCOME20"] } });
  expect(totalOf(made.totals, "total")).toBe(3_150);
  expect(made.messages[0].code).toBe("discount_code_combination_disallowed");
});

test("test_buyer_info_persistence: the address is kept", async () => {
  const { id } = await create();
  const buyer = { email: "test@example.com", first_name: "Test", last_name: "User" };
  await update(id, { ...lines(), buyer });
  const { body } = await send("GET", `/checkout-sessions/${id}`);
  expect(body.buyer.email).toBe("test@example.com");
});

test("test_out_of_stock, test_product_not_found and test_structured_error_messages", async () => {
  const stock = await send("POST", "/checkout-sessions", lines(1, items["gardenias"]));
  expect(stock.body).toMatchObject({
    ucp: { status: "error" },
    messages: [{ code: "out_of_stock" }],
  });
  const none = await send("POST", "/checkout-sessions", lines(1, "pink_wumpus"));
  expect(none.body.messages[0]).toMatchObject({ type: "error", code: "item_unavailable" });
});

test("test_update_inventory_validation: more than there is leaves the checkout unchanged", async () => {
  const made = await create(lines(2));
  for (const quantity of [999, 10_001]) {
    await shop.owner.products.update(shop.a.id, items["roses"] ?? "", { stock: 500 });
    const { body } = await update(made.id, lines(quantity));
    expect(body.messages[0]).toMatchObject({ type: "error", severity: "recoverable" });
    expect(body.line_items[0].quantity).toBe(2);
  }
});

test("test_cancel_checkout, test_cancel_is_idempotent and test_cannot_…_canceled_checkout", async () => {
  const { id } = await create();
  const path = `/checkout-sessions/${id}`;
  expect((await send("POST", `${path}/cancel`)).body.status).toBe("canceled");
  expect((await send("POST", `${path}/cancel`)).status).not.toBe(200);
  expect((await send("POST", `${path}/complete`)).status).not.toBe(200);
  expect((await update(id, lines(2))).status).not.toBe(200);
});

test("test_complete_is_idempotent and test_cannot_…_completed_checkout", async () => {
  const made = await create();
  const path = `/checkout-sessions/${made.id}`;
  await shop.storefront.checkout.submit(made.continue_url.split("/").at(-1), {
    payment_method_id: shop.a.method_id,
  });
  for (const more of ["/complete", "/cancel"])
    expect((await send("POST", path + more)).status).not.toBe(200);
  expect((await update(made.id, lines(2))).status).not.toBe(200);
  expect((await send("GET", path)).body).toMatchObject({ status: "completed" });
});

test("test_webhook_event_stream: the paid order is sent, and again after what happens to it", async () => {
  const events: { url: string; order: ReturnType<typeof JSON.parse> }[] = [];
  const sold = await createShop(memoryStorage(), {
    limits: { checkout: null, sessions: null },
    transport: {
      check: async () => ({ ok: true }),
      async send({ url, body }) {
        events.push({ url, order: JSON.parse(`${body}`) });
        return { ok: true, status: 200, error: null, snippet: "", duration_ms: 1 };
      },
    },
  });
  const version = "2026-08-25";
  const config = { webhook_url: "https://agent.example/webhooks/partners/test/events/order" };
  const capabilities = {
    "dev.ucp.shopping.checkout": [{ version }],
    "dev.ucp.shopping.order": [{ version, config }],
  };
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const endpoint = ucpEndpoint(sold, {
    fetchProfile: async () => ({ ucp: { version, capabilities } }),
    signingKey: { ...privateKey.export({ format: "jwk" }), kid: "store" } as never,
    webhooks: { agents: [profile] },
  });
  const told = async (count: number) => {
    await sold.storefront.drainWebhooks();
    expect(events).toHaveLength(count);
  };

  const agent = ucpClient(endpoint);
  const made = (await agent("POST", "/checkout-sessions", lines(1, sold.product.id))).body;
  const { order } = await sold.storefront.checkout.submit(made.continue_url.split("/").at(-1), {
    payment_method_id: sold.a.method_id,
  });
  await told(1);
  const refund = { store_id: sold.a.id, livemode: false, reference: "r1", amount: 100 };
  await sold.storefront.orders.refund(order.id, refund);
  await told(2);

  for (const event of events) {
    judge("shopping/order.json", event.order);
    expect(event.url).toBe(config.webhook_url);
    expect(event.order).toMatchObject({ id: order.id, checkout_id: made.id });
  }
  expect(events[1]?.order.adjustments).toMatchObject([{ type: "refund" }]);
});

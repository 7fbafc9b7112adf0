import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { sandboxGateway } from "vitrine";
import { alertTypes } from "../../src/rules/owner/alert-types.ts";
import {
  createDashboardShop,
  type DashboardShop,
  filledIn,
  formOf,
} from "../support/dashboard-shop.ts";

const hour = 3_600_000;

const addressOf = ({ a }: DashboardShop, path: string): string => `/dashboard/${a.id}/test/${path}`;

const where = ({ a }: DashboardShop) => ({ store_id: a.id, livemode: false });

const plain = (body: string | null): string =>
  (body ?? "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ")
    .replaceAll("\u00a0", " ");

/** Buys one product for 10 BRL. */
async function buy(shop: DashboardShop, customer: object = {}, input: object = {}) {
  const order = await shop.buy({}, {}, { customer, input });
  if (!order) throw new Error("Nothing was bought.");
  return order;
}

const retrieve = (shop: DashboardShop, order_id: string) =>
  shop.owner.orders.retrieve({ ...where(shop), order_id });

/** The order numbers that a list shows, in its order. */
const numbersOf = (body: string | null): readonly number[] =>
  [...(body ?? "").matchAll(/orders\/ord_\w+">#(\d+)</g)].map(([, number]) => Number(number));

describe("the list of orders", () => {
  test("is searched and filtered by its address alone, and pages keep the filters", async () => {
    const shop = await createDashboardShop({ storefront: { limits: { checkout: null } } });
    const visitor = shop.visitor();
    for (let count = 0; count < 26; count += 1) await buy(shop, { email: `ana${count}@x.com` });
    const { id } = await buy(shop, { email: "rui@example.com" });
    await buy(shop, { email: "ana@x.com" }, { outcome: "decline" });
    const list = async (query: string) =>
      numbersOf((await visitor.send(addressOf(shop, `orders?${query}`))).body);

    expect(await list("search=RUI%40")).toEqual([27]);
    expect(await list("search=%2327")).toEqual([27]);
    expect(await list(`search=${id}`)).toEqual([27]);
    expect(await list("status=failed&search=ana")).toEqual([28]);
    expect(await list("search=nobody&from=&to=")).toEqual([]);

    const first = await visitor.send(addressOf(shop, "orders?status=paid&search=ana"));
    expect(numbersOf(first.body)).toHaveLength(25);
    const [, next = ""] = /rel="next"\s+href="[^?]+\?([^"]+)"/.exec(first.body ?? "") ?? [];
    expect(await list(next.replaceAll("&amp;", "&"))).toEqual([1]);
  });

  test("is cut to one agent, from the page of an order that it sold, and to all of a protocol", async () => {
    const shop = await createDashboardShop({ storefront: { limits: { checkout: null } } });
    const visitor = shop.visitor();
    const sell = (agent: string) => shop.buy({}, { channel: agent });
    await buy(shop);
    const order = await sell("ucp:agent.example");
    await sell("ucp:other.example");
    await sell("mcp");
    const list = async (query: string) =>
      numbersOf((await visitor.send(addressOf(shop, `orders?${query}`))).body);
    expect(await list("channel=ucp")).toEqual([3, 2]);
    expect(await list("channel=mcp")).toEqual([4]);
    expect(await list("channel=acp")).toEqual([]);
    expect(await list("channel=")).toEqual([4, 3, 2, 1]);

    const { body } = await visitor.send(addressOf(shop, `orders/${order?.id}`));
    const [, link = ""] = /href="([^"]+channel=[^"]+)"/.exec(body ?? "") ?? [];
    const ofAgent = await visitor.send(link);
    expect(numbersOf(ofAgent.body)).toEqual([2]);
    expect(plain(ofAgent.body)).toContain("All agents that use ACP");
    expect(ofAgent.body).toMatch(/<option value="ucp:agent\.example"\s+selected>/);
    const file = await visitor.send(link.replace("/orders?", "/orders/export.csv?"));
    expect(file.body?.trim().split("\r\n")).toHaveLength(2);
  });

  test("is cut by days of the store's zone, both included", async () => {
    const shop = await createDashboardShop();
    await shop.owner.stores.update(shop.a.id, { timezone: "America/Sao_Paulo" });
    // The clock begins at noon of 15 January, UTC.
    await buy(shop);
    shop.advance(14 * hour); // 23:00 in São Paulo
    await buy(shop);
    shop.advance(2 * hour); // 01:00 of 16 January
    await buy(shop);
    const visitor = shop.visitor();
    const list = async (query: string) =>
      numbersOf((await visitor.send(addressOf(shop, `orders?${query}`))).body);

    expect(await list("from=2026-01-15&to=2026-01-15")).toEqual([2, 1]);
    expect(await list("from=2026-01-16")).toEqual([3]);
    for (const odd of ["from=soon", "from=0001-01-01", "to=9999-12-31", "from=2026-99-99"])
      expect([odd, await list(odd)]).toEqual([odd, [3, 2, 1]]);

    const turned = await visitor.send(addressOf(shop, "orders?from=2026-01-16&to=2026-01-15"));
    expect([turned.status, plain(turned.body).includes("end must be after")]).toEqual([200, true]);
    for (const screen of ["payments", "checkout-sessions", "events"]) {
      const day = addressOf(shop, `${screen}?from=2026-01-16&to=2026-01-16`);
      const { body } = await visitor.send(day);
      expect([screen, body?.match(/<tr>/g)?.length]).toEqual([screen, screen === "events" ? 4 : 2]);
    }
  });
});

describe("a refund", () => {
  const open = async (shop: DashboardShop, order_id: string, fields: Record<string, string>) => {
    const address = addressOf(shop, `orders/${order_id}/refund`);
    const visitor = shop.visitor();
    const form = filledIn(formOf(await visitor.send(address), "review"), fields);
    return { address, visitor, review: await visitor.follow(address, { form }) };
  };

  test("of a part says what will happen, and is made once when it is confirmed", async () => {
    const shop = await createDashboardShop();
    const { id } = await buy(shop, { name: "Ana" });
    const fields = { amount: "5.00", reason: "Half came broken" };
    const { address, visitor, review } = await open(shop, id, fields);
    expect([review.status, (await retrieve(shop, id)).amount_refunded]).toEqual([200, 0]);
    expect(plain(review.body)).toContain("R$5.00 goes back to Ana now");
    expect(plain(review.body)).toContain("R$5.00 stays with you");

    // Whoever goes back and continues once more is asked again.
    const first = filledIn(formOf(await visitor.send(address), "review"), fields);
    for (const amount of ["4", "5"]) {
      const asked = await visitor.follow(address, { form: filledIn(first, { amount }) });
      expect([asked.status, plain(asked.body).includes(`R$${amount}.00 goes`)]).toEqual([
        200,
        true,
      ]);
    }

    const form = formOf(review, "confirm");
    const [done, again] = await Promise.all([1, 2].map(() => visitor.send(address, { form })));
    expect([done?.status, again?.status].sort()).toEqual([303, 409]);
    expect(await retrieve(shop, id)).toMatchObject({
      status: "partially_refunded",
      amount_refunded: 500,
      amount_refunding: 0,
    });
    const { data } = await shop.owner.refunds.list(where(shop));
    expect(data).toMatchObject([{ amount: 500, reason: "Half came broken", status: "succeeded" }]);

    const page = await visitor.send(address);
    expect(formOf(page, "review").get("amount")).toBe("5.00");
  });

  test("is asked about at an address of its own, and confirmed twice refunds once", async () => {
    const shop = await createDashboardShop();
    const { id } = await buy(shop, { name: "Ana" });
    const address = addressOf(shop, `orders/${id}/refund`);
    const visitor = shop.visitor();
    const asked = await visitor.submit(address, "review", { amount: "5", reason: "Half broken" });
    const question = asked.headers["location"] ?? "";
    expect([asked.status, question.startsWith(`${address}?ask=`)]).toEqual([303, true]);

    // Back from the answer shows the question anew. Its form is another one, its refund is not.
    const [first, second] = [await visitor.send(question), await visitor.send(question)];
    expect(plain(second.body)).toContain("R$5.00 goes back to Ana now");
    for (const page of [first, second]) {
      const done = await visitor.send(address, { form: formOf(page, "confirm") });
      expect(done.status).toBe(303);
    }
    expect((await retrieve(shop, id)).amount_refunded).toBe(500);

    // Another browser's question, and one that was changed, show the empty form.
    const changed = question.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    for (const page of [await shop.visitor().send(question), await visitor.send(changed)])
      expect(formOf(page, "review").get("amount")).toBe("5.00");
  });

  test("of more than is left, or of no amount, is refused beside its field", async () => {
    const shop = await createDashboardShop();
    const { id } = await buy(shop);
    for (const [amount, fault] of [
      ["10.01", "more than what is left"],
      ["0", "The minimum is 1"],
      ["", "Fill this in"],
      ["ten", "Enter an amount"],
    ] as const) {
      const { review } = await open(shop, id, { amount });
      const found = /id="amount-error">([^<]*)</.exec(review.body ?? "")?.[1] ?? "";
      expect([amount, review.status, found.includes(fault)]).toEqual([amount, 422, true]);
    }
    expect((await retrieve(shop, id)).amount_refunded).toBe(0);
  });

  test("that another one has overtaken is refused when it is confirmed", async () => {
    const shop = await createDashboardShop();
    const { id } = await buy(shop);
    const { address, visitor, review } = await open(shop, id, { amount: "6" });
    const other = { ...where(shop), reference: "other", amount: 500 };
    await shop.storefront.orders.refund(id, other);
    const refused = await visitor.send(address, { form: formOf(review, "confirm") });
    expect([refused.status, refused.body?.includes("more than what is left")]).toEqual([422, true]);
    expect((await retrieve(shop, id)).amount_refunded).toBe(500);
  });

  test("that no gateway can move is written down when the owner has sent the money", async () => {
    const shop = await createDashboardShop();
    const made = await shop.session({}, { key: shop.a.live.pub });
    const token = made.body.data.checkout_url.split("/").at(-1);
    const methods = await shop.owner.paymentMethods.list(shop.a.id);
    const payment_method_id = methods.find(({ gateway }) => gateway === "acquirer")?.id ?? "";
    const { order } = await shop.storefront.checkout.submit(token, { payment_method_id });
    if (!order) throw new Error("Nothing was bought.");
    const visitor = shop.visitor();
    const address = `/dashboard/${shop.a.id}/live/orders/${order.id}/refund`;
    const confirm = async (fields: Record<string, string>) => {
      const form = filledIn(formOf(await visitor.send(address), "review"), fields);
      const review = await visitor.follow(address, { form });
      return { review, sent: await visitor.send(address, { form: formOf(review, "confirm") }) };
    };

    const { sent: refused } = await confirm({ amount: "10" });
    expect([refused.status, refused.body?.includes("tick the box below")]).toEqual([422, true]);
    const fields = { amount: "10", is_moved: "yes", reference: "acq_refund_1" };
    const { review, sent } = await confirm(fields);
    expect(plain(review.body)).toContain("is written down, and no money is moved");
    expect(sent.status).toBe(303);
    const { data } = await shop.owner.refunds.list({ store_id: shop.a.id, livemode: true });
    expect(data).toMatchObject([{ moved: "by_host", reference: "acq_refund_1", amount: 1_000 }]);
  });

  test("of a payment that the host took says that no money is moved", async () => {
    const shop = await createDashboardShop();
    const made = await shop.session();
    const completed = await shop.storefront.checkout.complete(made.body.data.id, {
      ...where(shop),
      status: "paid",
      reference: "cash",
      amount: 1_000,
      currency: "BRL",
    });
    const { review } = await open(shop, completed.id, {});
    expect(plain(review.body)).toContain("is written down, and no money is moved");
  });
});

describe("an order", () => {
  test("that waits is canceled; one that was paid meanwhile is not", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const waiting = await buy(shop, {}, { outcome: "qr_code" });
    const address = addressOf(shop, `orders/${waiting.id}/cancel`);
    expect((await visitor.submit(address, "confirm")).status).toBe(303);
    const canceled = { status: "failed", failure_code: "canceled" };
    expect(await retrieve(shop, waiting.id)).toMatchObject(canceled);

    const late = await buy(shop, {}, { outcome: "qr_code" });
    const page = addressOf(shop, `orders/${late.id}/cancel`);
    const form = formOf(await visitor.send(page), "confirm");
    const payment = { ...where(shop), reference: "cash", amount: 1_000, currency: "BRL" };
    await shop.storefront.orders.markPaid(late.id, payment);
    const refused = await visitor.send(page, { form });
    expect([refused.status, refused.body?.includes('role="alert">Only an order')]).toEqual([
      409,
      true,
    ]);
    expect((await retrieve(shop, late.id)).status).toBe("paid");
  });

  test("that was paid twice gives the second payment back", async () => {
    // Without a way to cancel it, the first payment succeeds behind the second one.
    const { cancelPayment: _, ...gateway } = sandboxGateway();
    const shop = await createDashboardShop({ storefront: { gateways: [gateway] } });
    const order = await buy(shop, { name: "Ana" }, { outcome: "pending_then_succeed" });
    const payment = { ...where(shop), reference: "cash", amount: 1_000, currency: "BRL" };
    await shop.storefront.orders.markPaid(order.id, payment);
    shop.advance(600_000);
    await shop.storefront.runMaintenance();
    const money = () => shop.storefront.orders.listPayments(order.id, where(shop));
    const twice = (await money()).find(({ status }) => status === "duplicate");

    const visitor = shop.visitor();
    const page = await visitor.send(addressOf(shop, `orders/${order.id}`));
    const address = addressOf(shop, `orders/${order.id}/return/${twice?.id}`);
    expect(page.body).toContain(`href="${address}"`);
    expect((await visitor.submit(address, "confirm")).status).toBe(303);
    const states = (await money()).map(({ gateway, status }) => [gateway, status]);
    expect(Object.fromEntries(states)).toEqual({ host: "booked", sandbox: "returned" });
    expect((await visitor.send(address)).body).not.toContain('name="do" value="confirm"');
  });

  test("takes a note, tells its history, and sends its webhook again", async () => {
    const shop = await createDashboardShop();
    const { owner } = shop;
    const url = "https://hooks.example.com";
    const { id: endpoint_id } = await owner.endpoints.create({ ...where(shop), url });
    const { id } = await buy(shop);
    await shop.storefront.drainWebhooks();
    const visitor = shop.visitor();
    const address = addressOf(shop, `orders/${id}`);

    const blank = await visitor.submit(address, "note", { note: " " });
    expect([blank.status, blank.body?.includes("Fill this in.")]).toEqual([422, true]);
    const form = filledIn(formOf(await visitor.send(address), "note"), { note: "Two\r\nlines" });
    const old = await visitor.send(address, { form: filledIn(form, { token: "1.x" }) });
    expect([old.status, formOf(old, "note").get("note")]).toEqual([403, "Two\r\nlines"]);
    expect((await visitor.send(address, { form })).status).toBe(303);
    const notes = await owner.orders.listNotes({ ...where(shop), order_id: id });
    expect(notes.data.map(({ text }) => text)).toEqual(["Two\nlines"]);

    const posts = shop.posts.length;
    expect((await visitor.submit(address, "resend")).status).toBe(303);
    await shop.storefront.drainWebhooks();
    expect(shop.posts).toHaveLength(posts + 1);
    await owner.endpoints.disable(where(shop), endpoint_id);
    const refused = await visitor.submit(address, "resend");
    expect([refused.status, refused.body?.includes("Enable it first.")]).toEqual([409, true]);

    const shown = plain((await visitor.send(address)).body);
    for (const text of ["The order is paid.", "R$10.00 came by sandbox", "order.paid", "Two lines"])
      expect(shown).toContain(text);
  });
});

describe("a customer", () => {
  test("is found by e-mail, id and order number, and shows what was spent", async () => {
    const shop = await createDashboardShop();
    const ana = { id: "user/7?", email: "ana@example.com", name: "Ana" };
    await buy(shop, ana);
    await buy(shop, ana);
    await buy(shop, { email: "rui@example.com" }, { outcome: "decline" });
    const visitor = shop.visitor();
    const list = async (query: string) =>
      plain((await visitor.send(addressOf(shop, `customers${query}`))).body);

    for (const query of ["", "?search=ANA%40", "?search=user%2F7%3F", "?search=%232"])
      expect([query, /Ana ana@example\.com 2 R\$20\.00/.test(await list(query))]).toEqual([
        query,
        true,
      ]);
    expect(await list("?search=rui")).toContain("rui@example.com");
    expect(await list("?search=nobody")).toContain("Nothing fits");
    expect(await list(`?search=${"x".repeat(300)}`)).toContain("Nothing fits");
    const page = await visitor.send(addressOf(shop, `customers/${encodeURIComponent(ana.id)}`));
    expect(plain(page.body)).toContain("R$20.00 in 2 paid orders");
  });

  test("is erased after a question, by one who has this very right", async () => {
    const shop = await createDashboardShop();
    const { id } = await buy(shop, { id: "ana", email: "ana@example.com", name: "Ana" });
    const address = addressOf(shop, "customers/ana/erase");
    const helper = { actor: "rui", stores: [shop.a.id], access: ["orders.refund"] } as const;
    expect((await shop.visitor(helper).send(address)).status).toBe(403);

    const visitor = shop.visitor();
    const asked = plain((await visitor.send(address)).body);
    for (const text of ["Erase Ana?", "What stays: the numbers, items and amounts"])
      expect(asked).toContain(text);
    expect((await visitor.submit(address, "confirm")).status).toBe(303);
    expect(await retrieve(shop, id)).toMatchObject({
      amount_total: 1_000,
      customer: { email: null, name: null },
    });
    expect((await visitor.send(addressOf(shop, "customers/ana"))).status).toBe(404);
    const orders = plain((await visitor.send(addressOf(shop, "orders"))).body);
    expect([orders.includes("ana@"), orders.includes("Erased")]).toEqual([false, true]);
    expect((await visitor.send(addressOf(shop, `orders/${id}`))).body).not.toContain("cus_erased");
    expect((await visitor.send(addressOf(shop, "customers/cus_erased"))).status).toBe(404);
  });

  test("whose money never came has a page, and is erased from there", async () => {
    const shop = await createDashboardShop();
    const buyer = { id: "rui", email: "rui@example.com" };
    const { id } = await buy(shop, buyer, { outcome: "decline" });
    const visitor = shop.visitor();
    expect(plain((await visitor.send(addressOf(shop, "customers/rui"))).body)).toContain("rui@");
    const erased = await visitor.submit(addressOf(shop, "customers/rui/erase"), "confirm");
    expect([erased.status, (await retrieve(shop, id)).customer.email]).toEqual([303, null]);
  });
});

test.each([
  ["insufficient_funds", "Too little money on the card or account."],
  ["stolen_card", "lost, stolen or blocked. Do not tell the buyer why."],
  ["bank-code.51", "bank-code.51"],
])("a payment refused with %s is explained in the history and in the list", async (code, words) => {
  const shop = await createDashboardShop();
  const { id } = await buy(shop, {}, { outcome: "decline", decline_code: code });
  const visitor = shop.visitor();
  for (const path of [`orders/${id}`, "payments"]) {
    const page = plain((await visitor.send(addressOf(shop, path))).body);
    expect(page).toContain(words);
    expect(page).toContain(code);
  }
});

test("a refund of one item is filled in with what was paid for it after its discount", async () => {
  const shop = await createDashboardShop();
  const { owner, a } = shop;
  await owner.coupons.create(a.id, {
    code: "TEN",
    discount_type: "percentage",
    discount_amount: 10,
  });
  const made = { currency: "BRL", active: true };
  const cup = await owner.products.create(a.id, { ...made, name: "Cup", price: 1_005 });
  const tea = await owner.products.create(a.id, { ...made, name: "Tea", price: 3_000 });
  const items = [
    { product_id: cup.id, quantity: 3 },
    { product_id: tea.id, quantity: 1 },
  ];
  const session = await shop.session({ items, coupon_code: "TEN" });
  const { amount_total: amount } = session.body.data;
  const paid = { status: "paid", reference: "first", amount, currency: "BRL" } as const;
  await shop.storefront.checkout.complete(session.body.data.id, { ...where(shop), ...paid });
  const [order] = (await owner.orders.list(where(shop))).data;
  const address = addressOf(shop, `orders/${order?.id}/refund`);

  const visitor = shop.visitor();
  const { body } = await visitor.send(address);
  const amounts = [...(body ?? "").matchAll(/refund\?amount=(\d+)"/g)].map(([, text]) =>
    Number(text),
  );
  const [cups = 0, oneCup = 0, teas = 0] = amounts;
  expect([amounts.length, cups + teas, oneCup]).toEqual([3, amount, Math.floor(cups / 3)]);
  expect(formOf(await visitor.send(`${address}?amount=${teas}`), "review").get("amount")).toBe(
    "27.00",
  );
});

test("Back after a refund tells that it was made, and does not ask for it again", async () => {
  const shop = await createDashboardShop();
  const { id } = await buy(shop, {}, { outcome: "succeed" });
  const visitor = shop.visitor();
  const address = addressOf(shop, `orders/${id}/refund`);
  const question = (await visitor.submit(address, "review", { amount: "4" })).headers["location"];
  expect((await visitor.submit(question ?? "", "confirm")).status).toBe(303);

  const back = await visitor.send(question ?? "");
  expect(plain(back.body)).toContain("This refund has been made already.");
  expect(() => formOf(back, "confirm")).toThrow();
  expect(await retrieve(shop, id)).toMatchObject({ amount_refunded: 400 });
});

test.each([
  ["product_not_received", "The buyer says that nothing came."],
  ["own-code", "own-code"],
])("a dispute for %s says in words what it is about and what answers it", async (reason, words) => {
  const shop = await createDashboardShop();
  const { id } = await buy(shop);
  const dispute = { ...where(shop), reference: "d1", reason };
  await shop.storefront.orders.openDispute(id, dispute);
  for (const path of [`orders/${id}`, "disputes"]) {
    const page = plain((await shop.visitor().send(addressOf(shop, path))).body);
    expect(page).toContain(words);
    expect(page).toContain(reason);
  }
});

/** Sells a plan of a month by the host's own code, and gives its subscription. */
async function subscribe(shop: DashboardShop) {
  const { owner, a } = shop;
  const product = await owner.products.create(a.id, {
    name: "Club",
    price: 3_000,
    currency: "BRL",
    recurring: { interval: "month", interval_count: 1 },
  });
  const made = await shop.session({ items: [{ product_id: product.id, quantity: 1 }] });
  const payment = { status: "paid", reference: "first", amount: 3_000, currency: "BRL" } as const;
  await shop.storefront.checkout.complete(made.body.data.id, { ...where(shop), ...payment });
  const [subscription] = (await owner.subscriptions.list(where(shop))).data;
  if (!subscription) throw new Error("Nothing was subscribed to.");
  return subscription;
}

test("a subscription is paused, resumed, and kept from its end", async () => {
  const shop = await createDashboardShop();
  const { id } = await subscribe(shop);
  const visitor = shop.visitor();
  const address = addressOf(shop, `subscriptions/${id}`);
  const state = async () => (await shop.owner.subscriptions.list(where(shop))).data[0];

  expect((await visitor.submit(address, "pause")).status).toBe(303);
  expect((await state())?.paused_at).not.toBeNull();
  const page = await visitor.send(address);
  expect(() => formOf(page, "pause")).toThrow();
  expect(plain(page.body)).toContain("ana paused the subscription Club");
  const reader = shop.visitor({ actor: "bia", stores: "all", access: ["orders.refund"] });
  expect((await reader.send(address)).body).not.toMatch(/name="do" value="(resume|pause)"/);
  expect((await visitor.submit(address, "resume")).status).toBe(303);
  expect((await state())?.paused_at).toBeNull();

  await visitor.submit(`${address}/cancel`, "confirm", { when: "at_period_end" });
  const stale = formOf(await visitor.send(address), "keep");
  expect((await visitor.submit(address, "keep")).status).toBe(303);
  expect(await state()).toMatchObject({ cancel_at_period_end: false });
  await visitor.submit(`${address}/cancel`, "confirm", { when: "now" });
  const late = await visitor.send(address, { form: filledIn(stale, { once: "x".repeat(22) }) });
  expect(late.status).toBe(409);
  expect(plain(late.body)).toContain("The subscription has changed meanwhile.");
  expect(late.body).not.toContain('value="pause"');
  for (const told of ["resumed the", "kept the", "canceled the"])
    expect(plain(late.body)).toContain(`ana ${told} subscription Club`);
});

test("a link is made by which the buyer pays a period that is past due", async () => {
  const shop = await createDashboardShop();
  const { id, current_period_end: period_start } = await subscribe(shop);
  shop.advance(40 * 24 * hour);
  const failed = { ...where(shop), period_start, reference: "second" };
  await shop.storefront.subscriptions.fail(id, failed);
  const visitor = shop.visitor();
  const address = addressOf(shop, `subscriptions/${id}`);

  for (const url of await shop.owner.returnUrls.list(shop.a.id))
    await shop.owner.returnUrls.remove(shop.a.id, url);
  const refusedLink = await visitor.submit(address, "link");
  expect(refusedLink.status).toBe(409);
  expect(plain(refusedLink.body)).toContain("Allow a return address first");

  await shop.owner.returnUrls.add(shop.a.id, "https://shop.example.com/thanks");
  const made = await visitor.submit(address, "link");
  expect(made.status).toBe(200);
  expect(made.body).toMatch(/id="pay-link" readonly value="https?:\/\/[^"]+cs_/);
});

test.each([
  ["at_period_end", { status: "active", cancel_at_period_end: true }],
  ["now", { status: "canceled" }],
])("a subscription is canceled %s", async (when, state) => {
  const shop = await createDashboardShop();
  const { owner } = shop;
  const subscription = await subscribe(shop);
  const visitor = shop.visitor();

  const due = addressOf(shop, "subscriptions?status=due");
  expect(plain((await visitor.send(due)).body)).not.toContain("Club");
  shop.advance(25 * 24 * hour);
  expect(plain((await visitor.send(due)).body)).toContain("Club");

  const address = addressOf(shop, `subscriptions/${subscription.id}/cancel`);
  expect((await visitor.submit(address, "confirm", { when })).status).toBe(303);
  expect((await owner.subscriptions.list(where(shop))).data).toMatchObject([state]);
});

test("an alert keeps the name of whoever has dealt with it", async () => {
  const shop = await createDashboardShop();
  const order = await buy(shop);
  const payment = { ...where(shop), reference: "again", amount: 1_000, currency: "BRL" };
  await shop.storefront.orders.markPaid(order.id, payment);
  const actor = `${"n".repeat(150)}😀`.repeat(1);
  const visitor = shop.visitor({ actor, stores: "all", access: "all" });
  const open = addressOf(shop, "alerts?state=open");
  expect((await visitor.send(open)).body).toContain(`orders/${order.id}`);
  expect((await visitor.submit(addressOf(shop, "alerts"), "acknowledge")).status).toBe(303);
  expect(plain((await visitor.send(open)).body)).toContain("Nothing fits");
  const { data } = await shop.owner.alerts.list(shop.a.id);
  expect(data).toMatchObject([{ acknowledged_by: "n".repeat(100) }]);
});

test("each alert says in words what has happened, and what to do", async () => {
  const shop = await createDashboardShop();
  for (const [at, type] of [...alertTypes, "of_a_later_version"].entries())
    await shop.storage.access.raiseAlert(
      {
        ...{ id: `alr_${at + 10}`, type, subject: "ord_1", data: { order_id: "ord_1" } },
        ...{ store_id: shop.a.id, livemode: false, created_at: at },
      },
      0,
    );

  const told = async (language: string) => {
    const headers = { "accept-language": language };
    const { body = "" } = await shop.visitor().send(addressOf(shop, "alerts"), { headers });
    return [
      ...(body ?? "").matchAll(/<strong>([^<]+)<\/strong>(?:<small>([^<]+)\.<\/small>)?/g),
    ].map(([, title, advice]) => [title, advice === undefined] as const);
  };
  const [[later, ...english], [same, ...portuguese]] = [await told("en"), await told("pt-BR")];
  expect([later, same]).toEqual([
    ["of_a_later_version", true],
    ["of_a_later_version", true],
  ]);
  for (const alerts of [english, portuguese]) {
    expect(alerts.filter(([, isBare]) => isBare)).toEqual([]);
    expect(new Set(alerts.map(([title]) => title)).size).toBe(alertTypes.length);
  }
  expect(english.at(-1)?.[0]).toBe("A secret key was used from a browser");
  expect(portuguese.at(-1)?.[0]).toBe("Uma chave secreta foi usada em um navegador");
});

test("an alert that is dealt with leads back to the list that was shown, in its order", async () => {
  const shop = await createDashboardShop();
  const order = await buy(shop);
  for (const reference of ["again", "and again"])
    await shop.storefront.orders.markPaid(order.id, {
      ...where(shop),
      ...{ reference, amount: 1_000, currency: "BRL" },
    });
  const visitor = shop.visitor();
  const open = addressOf(shop, "alerts?state=open&sort=oldest");
  const sent = await visitor.submit(open, "acknowledge");
  const back = new URL(sent.headers["location"] ?? "", "https://shop.example");
  expect([sent.status, back.searchParams.get("state"), back.searchParams.get("sort")]).toEqual([
    303,
    "open",
    "oldest",
  ]);
  const next = await visitor.submit(`${back.pathname}${back.search}`, "acknowledge");
  expect(next.headers["location"]?.match(/done=/g)).toHaveLength(1);
  expect(plain((await visitor.send(open)).body)).toContain("Nothing fits");
});

test("the command of an event sends its very content, whatever the texts hold", async () => {
  const shop = await createDashboardShop();
  await buy(shop, { name: 'O\'Neil $(id) `id` \\ "x" !! \n ☃' });
  const { data } = await shop.owner.events.list({ ...where(shop), type: "order.paid" });
  const [event] = data;
  const page = await shop.visitor().send(addressOf(shop, `events/${event?.id}`));
  const [, escaped = ""] =
    /<textarea id="curl" readonly rows="6">\n([\s\S]*?)<\/textarea>/.exec(page.body ?? "") ?? [];
  const entities: Readonly<Record<string, string>> = {
    "&lt;": "<",
    "&gt;": ">",
    "&quot;": '"',
    "&#39;": "'",
    "&amp;": "&",
  };
  const command = escaped.replace(/&(lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? "");
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${command}`;
  const sent = execFileSync("sh", ["-c", script], { encoding: "utf8" });
  expect(JSON.parse(sent)).toEqual(event?.payload);
});

test("a coupon's page lists the orders that used it, and products are filtered", async () => {
  const shop = await createDashboardShop();
  const { owner, a } = shop;
  const [coupon] = (await owner.coupons.list(a.id)).data;
  await shop.buy({ coupon_code: "SAVE10" });
  await buy(shop);
  const visitor = shop.visitor();
  const page = await visitor.send(addressOf(shop, `coupons/${coupon?.id}`));
  expect(numbersOf(page.body)).toEqual([1]);
  expect(plain((await visitor.send(addressOf(shop, "coupons"))).body)).toMatch(/SAVE10 10% 1 /);

  await owner.products.create(a.id, { name: "Bolo", price: 1, currency: "BRL", active: false });
  const list = async (query: string) =>
    plain((await visitor.send(addressOf(shop, `products?${query}`))).body);
  expect(await list("search=bol")).not.toContain("Product A");
  expect(await list("active=draft")).toContain("Bolo");
  expect(await list("active=published")).not.toContain("Bolo");
  expect(await list("category=cat_none")).toContain("Nothing fits");

  await owner.products.create(a.id, { name: "Torta", price: 1, currency: "BRL", stock: 0 });
  expect(await list("stock=sold_out")).toContain("Torta");
  expect(await list("stock=sold_out")).not.toContain("Bolo");
  expect(await list("stock=uncounted")).not.toContain("Torta");
  const csv = await visitor.send(addressOf(shop, "products/export.csv?stock=sold_out"));
  expect(csv.body).toContain("Torta");
  expect(csv.body).not.toContain("Bolo");
});

test("the page of an order that was moved into the archive names its month", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const order = await buy(shop);
  shop.advance(580 * 24 * hour);
  await shop.storefront.drainWebhooks();
  while ((await shop.storefront.runMaintenance()).more);
  const stored = new Map<string, Uint8Array>();
  const moved = await shop.owner.archive.move(
    { ...where(shop), month: "2026-01" },
    {
      list: async (prefix) => [...stored.keys()].filter((name) => name.startsWith(prefix)),
      read: async (name) => stored.get(name) ?? null,
      write: async (name, bytes) => void stored.set(name, bytes),
      remove: async (name) => void stored.delete(name),
    },
  );
  expect(moved.moved).toBe(1);

  const page = await visitor.send(addressOf(shop, `orders/${order.id}`));
  expect(plain(page.body)).toContain("Archived in 2026-01");
  const portuguese = await visitor.send(addressOf(shop, `orders/${order.id}`), {
    headers: { "accept-language": "pt-BR" },
  });
  expect(plain(portuguese.body)).toContain("Arquivado em 2026-01");
  expect((await visitor.send(addressOf(shop, "orders/ord_other"))).status).toBe(404);
});

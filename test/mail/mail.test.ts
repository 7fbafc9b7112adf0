import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { memoryStorage } from "vitrine";
import type { SandboxRenewal } from "vitrine/gateway";
import { type Message, type MessageOptions, sendMessages, writePageLink } from "vitrine/mail";
import { customerBrowser } from "../support/customer-visit.ts";
import { createShop, returnUrl, type Shop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const day = 24 * 3_600_000;
const consent = "I agree that Store A charges 50.00 BRL every month until I cancel.";

let shop: Shop;
let where: { store_id: string; livemode: boolean };

async function openShop(storage = memoryStorage()): Promise<void> {
  shop = await createShop(storage, { limits: { checkout: null } });
  where = { store_id: shop.a.id, livemode: false };
  await shop.owner.stores.update(shop.a.id, { locale: "pt-BR", timezone: "America/Sao_Paulo" });
  await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, { supports_recurring: true });
}

/** Sends messages until the test ends, and gives those that came. */
function receive(options: Partial<MessageOptions> = {}): Message[] {
  const sent: Message[] = [];
  const end = new AbortController();
  const work = sendMessages(shop.storefront, {
    onMessage: (message) => void sent.push(message),
    signal: end.signal,
    testMode: true,
    success_url: returnUrl,
    now: shop.now,
    ...options,
  });
  onTestFinished(() => {
    end.abort();
    return work;
  });
  return sent;
}

const kindsOf = (sent: readonly Message[]) => sent.map(({ kind }) => kind);
const customer = { id: "u_1", email: "ana@example.com", name: "Ana <b>Souza</b>" };

async function subscribe(renewals: SandboxRenewal) {
  const recurring = { interval: "month", interval_count: 1 } as const;
  const box = { name: "Box", price: 5_000, currency: "BRL", recurring };
  const { id } = await shop.owner.products.create(shop.a.id, box);
  const items = [{ product_id: id, quantity: 1 }];
  const order = await shop.buy({ items }, {}, { customer, consent, input: { renewals } });
  return shop.storefront.subscriptions.retrieve(order?.subscription_id ?? "", where);
}

async function goTo(time: string): Promise<void> {
  shop.advance(Date.parse(time) - shop.now());
  await shop.storefront.runMaintenance();
}

describe.each(storages)("messages to buyers, on %s", (_name, open) => {
  beforeEach(async () => openShop(await open()));

  test("tell of an order, a renewal, a refund and the end of a subscription, in the store's order", async () => {
    const sent = receive();
    const subscription = await subscribe("succeed");
    await expect.poll(() => kindsOf(sent)).toEqual(["order_confirmation"]);
    expect(sent[0]).toMatchObject({
      to: "ana@example.com",
      locale: "pt-BR",
      subject: "Seu pedido nº 1 em Store A",
      livemode: false,
      store_id: shop.a.id,
      data: { type: "order.paid", id: sent[0]?.id },
    });
    expect(sent[0]?.text.replace(/\u00a0/g, " ")).toContain("1 × Box: R$ 50,00");

    await goTo(subscription.current_period_end);
    const orders = await shop.owner.orders.list(where);
    await shop.storefront.orders.refund(orders.data[0]?.id ?? "", {
      ...where,
      reference: "r1",
      amount: 700,
    });
    await shop.storefront.subscriptions.cancel(subscription.id, { ...where, at_period_end: false });
    await expect
      .poll(() => kindsOf(sent))
      .toEqual(["order_confirmation", "receipt", "refund", "cancellation"]);
    expect(sent[2]?.text.replace(/\u00a0/g, " ")).toContain("R$ 7,00 do seu pedido nº 2");
    expect(new Set(sent.map(({ id }) => id)).size).toBe(4);
  });

  test("a refused renewal asks for the payment by a link, which pays that period", async () => {
    const sent = receive({ kinds: ["payment_failed", "receipt", "order_confirmation"] });
    const subscription = await subscribe("decline");
    await expect.poll(() => sent.length).toBe(1);
    await goTo(subscription.current_period_end);
    await expect.poll(() => kindsOf(sent)).toEqual(["order_confirmation", "payment_failed"]);

    const [, failed] = sent;
    const [url = ""] = /https:\/\/pay\.example\.com\/c\/\S+/.exec(failed?.text ?? "") ?? [];
    expect(failed?.html).toContain(`href="${url}"`);
    await shop.storefront.checkout.submit(url.split("/").at(-1) ?? "", {
      payment_method_id: shop.a.method_id,
      customer,
    });
    await expect.poll(() => sent.length).toBe(3);
    expect(await shop.storefront.subscriptions.retrieve(subscription.id, where)).toMatchObject({
      status: "active",
    });
  });

  test("a renewal that needs the buyer is told once, not as a refusal besides", async () => {
    const sent = receive({ kinds: ["payment_failed"] });
    const subscription = await subscribe("authentication_required");
    await goTo(subscription.current_period_end);
    await expect
      .poll(() => sent.map(({ data }) => data.type))
      .toEqual(["subscription.payment_action_required"]);
    expect(sent[0]?.text).toContain("Pague agora");
    expect(sent[0]?.data.data).toMatchObject({ subscription: { next_charge_at: null } });
  });

  test("what could not be sent comes again under the same id, and nothing passes it by", async () => {
    const tried: string[] = [];
    const sent = receive({
      async onMessage(message) {
        tried.push(`${message.kind} ${message.id}`);
        if (tried.length === 1) throw new Error("The provider is away.");
        sent.push(message);
      },
    });
    await shop.buy({}, {}, { customer });
    const order = await shop.buy({}, {}, { customer });
    await expect.poll(() => tried.length).toBe(1);
    expect(sent).toEqual([]);
    await expect
      .poll(() => {
        shop.advance(1_000);
        return sent.length;
      })
      .toBe(2);
    expect(tried).toHaveLength(3);
    expect(tried[1]).toBe(tried[0]);
    expect(sent[1]?.data).toMatchObject({ data: { order: { id: order?.id } } });
    expect(shop.errors.splice(0).map(String)).toEqual(["Error: The provider is away."]);
  });
});

describe("a message", () => {
  beforeEach(() => openShop());

  test("is in the language of the store: Portuguese, and English for all others", async () => {
    const sent = receive();
    for (const locale of ["pt-PT", "en-GB", "ja-JP"]) {
      await shop.owner.stores.update(shop.a.id, { locale });
      const count = sent.length + 1;
      await shop.buy({}, {}, { customer });
      await expect.poll(() => sent.length).toBe(count);
    }
    expect(sent.map(({ locale, html }) => [locale, /<html lang="(\w+)"/.exec(html)?.[1]])).toEqual([
      ["pt-PT", "pt"],
      ["en-GB", "en"],
      ["en", "en"],
    ]);
    expect(sent[1]?.subject).toBe("Your order #2 at Store A");
  });

  test("has no line that a merchant or a buyer has begun", async () => {
    const ends = ["\r\n\r\n", "\u0085", "\u2028", "\v", "\u001b[2J"];
    const typed = (word: string): string => word + ends.map((end) => `${end}EVIL`).join("");
    const variables = [{ key: "note", label: "Note", type: "text", required: false }] as const;
    await shop.owner.stores.update(shop.a.id, { name: typed("A") });
    await shop.owner.products.update(shop.a.id, shop.product.id, { name: typed("Mug"), variables });
    const sent = receive();
    const items = [{ product_id: shop.product.id, quantity: 1, variables: { note: typed("n") } }];
    await shop.buy({ items }, {}, { customer: { ...customer, name: typed("Ana") } });
    await expect.poll(() => sent.length).toBe(1);

    const [{ subject, text } = { subject: "", text: "" }] = sent;
    expect(subject + text).toContain("A EVIL");
    for (const part of [subject, text]) {
      expect(part).not.toMatch(/(?!\n)[\p{Cc}\u2028\u2029]/u);
      expect(part).not.toMatch(/^EVIL/m);
    }
    expect(text).toMatch(/^ {4}note: n EVIL/m);
  });

  test("goes to one reader: an order with another text for its address has none", async () => {
    const sent = receive();
    for (const email of [
      "ana@example.com\r\nBcc: all@example.com",
      "ana@example.com, all@example.com",
      "Ana <all@example.com>",
      "ana\u0085@example.com",
      "nobody",
    ])
      await shop.buy({}, {}, { customer: { email } });
    await shop.buy({}, {}, { customer });
    await expect.poll(() => sent.map(({ to }) => to)).toEqual(["ana@example.com"]);
  });

  test("shows what a merchant and a buyer have typed as text, on one line of the subject", async () => {
    await shop.owner.stores.update(shop.a.id, { name: "A & B\r\nBcc: all@example.com <i>" });
    await shop.owner.products.update(shop.a.id, shop.product.id, { name: '<img src=x> "Mug"' });
    const sent = receive();
    await shop.buy({ coupon_code: "SAVE10" }, {}, { customer });
    await expect.poll(() => sent.length).toBe(1);

    const [{ subject, html, text } = { subject: "", html: "", text: "" }] = sent;
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<img|<i>|<b>/);
    expect(html).toContain("Ana &lt;b&gt;Souza");
    expect(html).toContain("&lt;img src=x&gt; &quot;Mug&quot;");
    expect(text).toContain('1 × <img src=x> "Mug"');
    expect(text.replace(/\u00a0/g, " ")).toMatch(/Desconto SAVE10: −R\$ 1,00\nTotal: R\$ 9,00/);
  });

  test("tells what has changed of a subscription, and that it is paused", async () => {
    const sent = receive({ kinds: ["renewal_notice"] });
    const { id } = await subscribe("succeed");
    await shop.storefront.subscriptions.changePrice(id, { ...where, unit_amount: 6_000 });
    await shop.storefront.subscriptions.pause(id, where);
    await expect.poll(() => sent.length).toBe(2);
    expect(sent[0]?.text.replace(/\u00a0/g, " ")).toContain(
      "Box agora custa R$ 60,00 por mês. O próximo pagamento é em 15 de fevereiro.",
    );
    expect(sent[1]?.text).toContain("Box está em pausa");
  });

  test("goes to nobody without an address, for old events, or in test mode unless it is asked for", async () => {
    await shop.buy({}, {}, { customer: { id: "u_2" } });
    await shop.buy({}, {}, { customer });
    shop.advance(3 * day + 1);
    await shop.buy({}, {}, { customer: { ...customer, email: "rui@example.com" } });

    const sent = receive();
    const live = receive({ testMode: false, consumer: "live" });
    await expect.poll(() => sent.map(({ to }) => to)).toEqual(["rui@example.com"]);
    const lag = () => shop.storefront.eventLag({ consumer: "live" });
    await expect.poll(async () => (await lag()).events).toBe(0);
    expect(live).toEqual([]);
  });

  test("without an address to come back to has no link, and says whom to ask", async () => {
    const sent = receive({ success_url: () => null, kinds: ["payment_failed"] });
    const subscription = await subscribe("decline");
    await goTo(subscription.current_period_end);
    await expect.poll(() => sent.length).toBe(1);
    expect(sent[0]?.html).not.toContain("<a ");
    expect(sent[0]?.text).toContain("Pergunte a Store A como pagar.");
  });

  test("a wrong option is refused at once with how to mend it", async () => {
    const { signal } = new AbortController();
    const start = (options: object) => () =>
      sendMessages(shop.storefront, { onMessage: () => {}, signal, ...options });
    await expect(start({ onMessage: 1 })).rejects.toThrow("onMessage is missing");
    await expect(start({ signal: undefined })).rejects.toThrow("signal is missing");
    await expect(start({ kinds: ["recibo"] })).rejects.toThrow("recibo is not one of them");
    await expect(start({ maxAgeMs: -1 })).rejects.toThrow("maxAgeMs");
    await expect(start({ onMesage: 1 })).rejects.toThrow("did you mean onMessage?");
    await expect(() => sendMessages({} as never, {} as never)).rejects.toThrow("createStorefront");
  });
});

test("what was bought has a link to that order at the customer page, where there is one", async () => {
  const baseUrl = "https://shop.example.org/account";
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null },
    customerPage: { baseUrl },
  });
  where = { store_id: shop.a.id, livemode: false };
  await shop.owner.paymentMethods.update(shop.a.id, shop.a.method_id, { supports_recurring: true });
  const sent = receive();
  /** Opens the link of the newest message, and gives the orders that it shows. */
  const shownBy = async (kind: string) => {
    await expect.poll(() => sent.at(-1)?.kind).toBe(kind);
    const { page_link, text, html } = sent.at(-1) as Message;
    expect(page_link?.url).toContain(`${baseUrl}/link/`);
    expect(text).toContain(`See my order:\n${page_link?.url}`);
    expect(html).toContain(`href="${page_link?.url}"`);

    const browser = customerBrowser(shop.storefront, baseUrl);
    await browser.post(page_link?.url ?? "", {});
    const page = (await browser.get()).html;
    const orders = (await shop.owner.orders.list(where)).data.map(({ id }) => id);
    return orders.filter((id) => page.includes(id));
  };

  const { id, latest_order_id, current_period_end } = await subscribe("succeed");
  expect(await shownBy("order_confirmation")).toEqual([latest_order_id]);
  await goTo(current_period_end);
  const renewed = await shop.storefront.subscriptions.retrieve(id, where);
  expect(await shownBy("receipt")).toEqual([renewed.latest_order_id]);
  await shop.storefront.subscriptions.changePrice(id, { ...where, unit_amount: 4_000 });
  expect(await shownBy("renewal_notice")).toEqual([renewed.latest_order_id]);
});

test("a message with a link to the customer page lets its buyer in once", async () => {
  const baseUrl = "https://shop.example.org/account";
  shop = await createShop(memoryStorage(), {
    limits: { checkout: null },
    customerPage: { baseUrl },
  });
  const { number } = await shop.buy({}, {}, { customer });
  const of = { store_id: shop.a.id, livemode: false, customer_id: customer.id };
  const to = "ana@example.com";
  const message = await writePageLink(shop.storefront, { ...of, to, name: customer.name });
  expect(message).toMatchObject({ kind: "page_link", to, subject: "Your purchases at Store A" });
  expect(message.text).toContain(`See my purchases:\n${message.page_link.url}`);
  expect(message.html).toContain("Hello Ana &lt;b&gt;Souza&lt;/b&gt;,");

  const browser = customerBrowser(shop.storefront, baseUrl);
  expect((await browser.post(message.page_link.url, {})).status).toBe(303);
  expect((await browser.get()).text).toContain(`Pedido ${number}`);
  const others = { ...of, to: "ana@example.com\r\nBcc: all@example.com" };
  await expect(writePageLink(shop.storefront, others)).rejects.toMatchObject({ param: "to" });
  await expect(writePageLink(shop.storefront, { ...of, to, ttl_seconds: 1 })).rejects.toMatchObject(
    { param: "ttl_seconds" },
  );
});

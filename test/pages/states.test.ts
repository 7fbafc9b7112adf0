import { expect, test, vi } from "vitest";
import { sqliteStorage } from "vitrine/sqlite";
import { openCheckoutShop, pixText } from "../support/checkout-shop.ts";
import { buyer, pay, send, visit } from "../support/checkout-visit.ts";
import { patience } from "../support/patience.ts";
import { storages } from "../support/storages.ts";

const minute = 60_000;

test.each(storages)("a purchase by Pix, from the form to the store, on %s", async (_name, open) => {
  const shop = await openCheckoutShop({ storage: await open() });
  const { url, token, id } = await shop.session({ coupon: "BEMVINDO" });

  const form = await visit(shop, url);
  expect(form.text).toContain("Avental de lona");
  expect(form.text).toContain("Desconto BEMVINDO");
  expect(form.text).toMatch(/−R\$\s13,80/);
  expect(form.text).toMatch(/Pagar R\$\s124,20/);

  const sent = await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  expect([sent.status, sent.location]).toEqual([303, new URL(url).pathname]);

  const code = await visit(shop, url);
  expect(code.html).toContain(pixText);
  expect(code.html).toMatch(/<svg class="qr"[^>]*aria-label="QR Code do pagamento"/);
  expect(code.text).toContain("Aguardando o pagamento");

  const early = await send(shop, url, { action: "check" });
  expect(early.text).toContain("o pagamento ainda não foi confirmado");

  await shop.tell(token, "succeeded");
  const thanks = `${shop.origin}/thanks?session=${id}`;
  const checked = await send(shop, url, { action: "check" });
  expect([checked.status, checked.location]).toEqual([303, thanks]);

  const paid = await visit(shop, url);
  expect(paid.text).toContain("Pagamento recebido");
  expect(paid.text).toContain("Pedido 1");
  expect(paid.html).toContain(`href="${thanks}"`);
  const { order } = await shop.storefront.checkout.view(token);
  expect(order?.customer).toMatchObject({ name: buyer.name, tax_id: "***.***.247-**" });
  expect(shop.errors).toEqual([]);
});

test("a buyer who comes back from the provider's page is asked about, and sent on only when paid", async () => {
  const shop = await openCheckoutShop();
  const { url, token, id } = await shop.session();
  const card = { payment_method_id: shop.methods.card.id };
  const sent = await pay(shop, url, card);
  expect(sent.location).toMatch(/^https:\/\/bank\.example\.com\/pay\?id=pay_/);

  const cross = { "sec-fetch-site": "cross-site" };
  const early = await visit(shop, url, cross);
  expect([early.status, shop.asked.length]).toEqual([200, 1]);
  expect(early.text).toContain("Conclua seu pagamento");
  expect(early.html).toContain('href="https://bank.example.com/pay?id=pay_');

  // Reloads do not ask again and again; the buyer can.
  await visit(shop, url);
  expect(shop.asked.length).toBe(1);
  await shop.tell(token, "succeeded");
  shop.advance(5_000);
  const back = await visit(shop, url, cross);
  expect([back.status, back.location]).toEqual([303, `${shop.origin}/thanks?session=${id}`]);

  // Who opens the address later is told that it is paid.
  shop.advance(16 * minute);
  const later = await visit(shop, url, cross);
  expect([later.status, later.text]).toEqual([200, expect.stringContaining("Pagamento recebido")]);
});

test("after a failed payment another method can be chosen, and nothing typed is lost", async () => {
  const shop = await openCheckoutShop();
  const refused = await shop.method("crypto", "Moeda");
  const { url } = await shop.session();
  const failed = await pay(shop, url, { payment_method_id: refused.id });
  expect([failed.status, failed.text]).toEqual([200, expect.stringContaining("foi recusado")]);
  for (const value of Object.values(buyer)) expect(failed.html).toContain(`value="${value}"`);
  expect(failed.html).toMatch(new RegExp(`value="${refused.id}"\\s*checked`));

  expect((await visit(shop, url)).text).toContain("foi recusado");
  const again = await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  expect(again.status).toBe(303);
  expect((await visit(shop, url)).text).toContain("Pague com este código");
});

test.each([
  ["insufficient_funds", "Não há saldo suficiente no cartão ou na conta. Nada foi cobrado."],
  ["incorrect_cvc", "O código de segurança do cartão está errado."],
  ["stolen_card", "O pagamento foi recusado e nada foi cobrado."],
  ["some_other_code", "O pagamento foi recusado e nada foi cobrado."],
])("a buyer who was refused with %s reads what helps, and no more", async (decline_code, words) => {
  const shop = await openCheckoutShop();
  shop.behaviour.refusal = { decline_code };
  const refused = await shop.method("crypto", "Moeda");
  const { url } = await shop.session();

  const failed = await pay(shop, url, { payment_method_id: refused.id });
  expect(failed.text).toContain(words);
  expect((await visit(shop, url)).text).toContain(words);
  expect(failed.html).not.toContain(decline_code);
});

test("a payment that runs can be changed for another, unless it cannot be canceled any more", async () => {
  const shop = await openCheckoutShop();
  const { url, token } = await shop.session();
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  const form = await visit(shop, `${url}?change`);
  expect(form.text).toContain("cancelamos o que você já começou");

  await pay(shop, url, { payment_method_id: shop.methods.boleto.id });
  const boleto = await visit(shop, url);
  expect(boleto.text).toContain("Pague o boleto");
  expect(boleto.html).toContain('href="https://bank.example.com/boleto.pdf"');

  shop.behaviour.cancels = false;
  const kept = await pay(shop, url, { payment_method_id: shop.methods.card.id });
  expect([kept.status, kept.text]).toEqual([
    409,
    expect.stringContaining("não pode mais ser cancelado"),
  ]);
  expect((await shop.storefront.checkout.view(token)).next_action?.type).toBe("voucher");
});

test("a form that is sent again for a payment that runs, or came, leads to its page", async () => {
  const shop = await openCheckoutShop();
  const { url, token } = await shop.session();
  const path = new URL(url).pathname;
  const pix = { payment_method_id: shop.methods.pix.id };
  const stale = { action: "pay", attempt: "stale", ...buyer, ...pix };
  await pay(shop, url, pix);
  const again = await send(shop, url, { ...stale, name: "" });
  expect([again.status, again.location]).toEqual([303, path]);

  // A form that was opened to change the payment says what is wrong in it.
  const change = await visit(shop, `${url}?change`);
  expect(change.html).toContain('<input type="hidden" name="change" value="1">');
  const wrong = await send(shop, url, { ...stale, name: "", change: "1" });
  expect([wrong.status, wrong.html]).toEqual([422, expect.stringContaining('name="change"')]);

  await shop.tell(token, "succeeded");
  await send(shop, url, { action: "check" });
  for (const change of ["", "1"]) {
    const late = await send(shop, url, { ...stale, name: "", ...(change && { change }) });
    expect([late.status, late.location, late.text]).toEqual([303, path, ""]);
  }
});

test("canceling ends the payment and leads back to the store", async () => {
  const shop = await openCheckoutShop();
  const { url, token } = await shop.session();
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  const canceled = await send(shop, url, { action: "cancel" });
  expect([canceled.status, canceled.location]).toEqual([303, `${shop.origin}/cart`]);
  expect((await visit(shop, url)).text).toContain("O pagamento foi cancelado");

  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  shop.behaviour.cancels = false;
  const kept = await send(shop, url, { action: "cancel" });
  expect([kept.status, kept.text]).toEqual([409, expect.stringContaining("Pague com este código")]);

  // The money came while the buyer was giving up.
  await shop.tell(token, "succeeded");
  const late = await send(shop, url, { action: "cancel" });
  expect([late.status, late.location]).toEqual([303, new URL(url).pathname]);
  expect((await visit(shop, url)).text).toContain("Pagamento recebido");
});

test("a code whose time is over is no code any more; a new one can be made", async () => {
  const shop = await openCheckoutShop();
  shop.behaviour.codeLivesMs = 5 * minute;
  const { url } = await shop.session();
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  shop.advance(6 * minute);
  const over = await visit(shop, url);
  expect(over.text).toContain("O código expirou");
  expect(over.html).not.toContain('<svg class="qr"');

  const restarted = await send(shop, url, { action: "restart" });
  expect([restarted.status, restarted.location]).toEqual([303, new URL(url).pathname]);
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  expect((await visit(shop, url)).text).toContain("Pague com este código");
});

test("a method that needs a page of the host's own is not available on this page", async () => {
  const shop = await openCheckoutShop();
  const wallet = await shop.method("wallet", "Carteira");
  const { url } = await shop.session();
  await pay(shop, url, { payment_method_id: wallet.id });
  const page = await visit(shop, url);
  expect(page.text).toContain("não está disponível nesta página");
  expect(page.html).not.toContain("cs_1");
  expect(page.html).toContain(`href="${new URL(url).pathname}?change"`);
});

test("a payment without anything to do says that nothing must be done", async () => {
  const shop = await openCheckoutShop();
  const other = await shop.method("other", "Conta");
  const { url, token } = await shop.session();
  await pay(shop, url, { payment_method_id: other.id });
  expect((await visit(shop, url)).text).toContain("Não pague de novo");

  await shop.tell(token, "failed");
  const checked = await send(shop, url, { action: "check" });
  expect(checked.location).toBe(new URL(url).pathname);
  expect((await visit(shop, url)).text).toContain("foi recusado");
});

test("an expired session leads back to the store, and takes no payment", async () => {
  const shop = await openCheckoutShop();
  const { url } = await shop.session();
  const form = await visit(shop, url);
  expect(form.text).toMatch(/Você pode pagar até .+BRT\./);
  shop.advance(31 * minute);
  const expired = await visit(shop, url);
  expect(expired.text).toContain("Este checkout expirou");
  expect(expired.html).toContain(`href="${shop.origin}/cart"`);
  const late = await send(shop, url, {
    action: "pay",
    ...buyer,
    payment_method_id: shop.methods.pix.id,
  });
  expect([late.status, late.text]).toEqual([409, expect.stringContaining("expirou")]);
});

test("who comes too late for the last piece is told so, and is not charged", async () => {
  const shop = await openCheckoutShop();
  const last = await shop.product("Última peça", 500, "last", 1);
  const items = [{ product_id: last.id, quantity: 1 }];
  const first = await shop.session({ items });
  const second = await shop.session({ items });
  const pix = { payment_method_id: shop.methods.pix.id };
  await pay(shop, first.url, pix);
  const late = await pay(shop, second.url, pix);
  expect([late.status, late.text]).toEqual([409, expect.stringContaining("Acabou de esgotar")]);
  expect(late.html).toContain(`href="${shop.origin}/cart"`);
});

test.each(storages)(
  "what is sold out is named, and what is not is not, on %s",
  async (_name, open) => {
    const shop = await openCheckoutShop({ storage: await open() });
    const cup = await shop.product("Caneca esmaltada", 4_500, "cups", 2);
    const items = [
      { product_id: cup.id, quantity: 1 },
      { product_id: shop.products.apron.id, quantity: 1 },
      { product_id: cup.id, quantity: 1 },
    ];
    const first = await shop.session({ items: [{ product_id: cup.id, quantity: 1 }] });
    const late = await shop.session({ items });
    await pay(shop, first.url, { payment_method_id: shop.methods.pix.id });
    const page = await pay(shop, late.url, { payment_method_id: shop.methods.pix.id });
    expect(page.status).toBe(409);
    expect(page.text).toContain(
      "Caneca esmaltada: não há mais estoque para a quantidade do seu pedido. Nada foi cobrado.",
    );
    expect(page.text).not.toContain(`${shop.products.apron.name}:`);
    expect(page.text).not.toContain(`e ${shop.products.apron.name}`);
    await shop.storefront.close();
  },
);

test("a paid order sends a second form on to the store; a refunded one says so", async () => {
  const shop = await openCheckoutShop();
  const { url, token, id } = await shop.session();
  const pix = { payment_method_id: shop.methods.pix.id };
  await pay(shop, url, pix);
  await shop.tell(token, "succeeded");
  await send(shop, url, { action: "check" });
  const again = await send(shop, url, { action: "pay", ...buyer, ...pix });
  expect([again.status, again.location]).toEqual([303, `${shop.origin}/thanks?session=${id}`]);

  const { order } = await shop.storefront.checkout.view(token);
  const partition = { store_id: shop.store.id, livemode: true };
  await shop.storefront.orders.refund(order?.id ?? "", {
    ...partition,
    reference: "r1",
    moved: "by_host",
  });
  expect((await visit(shop, url)).text).toContain("Pagamento devolvido");
});

test("a session that costs nothing is confirmed without a method", async () => {
  const shop = await openCheckoutShop();
  const free = await shop.product("Amostra", 0, "free");
  const { url } = await shop.session({ items: [{ product_id: free.id, quantity: 1 }] });
  const form = await visit(shop, url);
  expect(form.text).toContain("Confirmar o pedido");
  expect(form.html).not.toContain('name="payment_method_id"');
  expect((await pay(shop, url, {})).location).toContain("/thanks");
});

test("only methods that take the amount are offered; without one the page says so", async () => {
  const shop = await openCheckoutShop();
  for (const { id } of Object.values(shop.methods))
    await shop.owner.paymentMethods.update(shop.store.id, id, { max_amount: 10_000 });
  const { url } = await shop.session();
  const page = await visit(shop, url);
  expect(page.text).toContain("não pode ser pago on-line");
  const small = await shop.session({
    items: [{ product_id: shop.products.coffee.id, quantity: 1 }],
  });
  expect((await visit(shop, small.url)).html).toContain('name="payment_method_id"');
});

test("a method that has gone since the page was shown is an error beside the methods", async () => {
  const shop = await openCheckoutShop();
  const { url } = await shop.session();
  await shop.owner.paymentMethods.update(shop.store.id, shop.methods.pix.id, { enabled: false });
  const page = await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  expect([page.status, page.text]).toEqual([422, expect.stringContaining("Escolha outra")]);
  expect(page.html).toContain(`value="${buyer.name}"`);

  shop.behaviour.refuses = new Set(["BRL"]);
  const refused = await pay(shop, url, { payment_method_id: shop.methods.card.id });
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("Escolha outra")]);
});

test("an unknown address says what to do, in the reader's language", async () => {
  const shop = await openCheckoutShop();
  const page = await visit(shop, `${shop.origin}/pay/none`, { "accept-language": "en-GB" });
  expect([page.status, page.text]).toEqual([404, expect.stringContaining("no such checkout")]);
  expect((await visit(shop, `${shop.origin}/elsewhere/none`)).status).toBe(404);
});

test("while the storage is gone the page says that nobody must pay twice, and the host is told", async () => {
  // A storage closes only a database that it has opened itself.
  const storage = sqliteStorage(":memory:");
  await storage.migrate();
  const shop = await openCheckoutShop({ storage });
  const { url } = await shop.session();
  await storage.close();
  const page = await visit(shop, url);
  expect([page.status, page.text]).toEqual([503, expect.stringContaining("não pague de novo")]);
  expect(shop.errors.length).toBe(1);
});

test("a waiting browser learns by one small answer that something has changed", async () => {
  const shop = await openCheckoutShop();
  const { url, token, id } = await shop.session();
  await pay(shop, url, { payment_method_id: shop.methods.pix.id });
  const page = await visit(shop, url);
  const [, shown] = /data-version="([^"]+)"/.exec(page.html) ?? [];
  const poll = async () => JSON.parse((await visit(shop, `${url}?poll`)).html).version;
  expect(await poll()).toBe(shown);
  expect(shop.asked).toEqual([]);

  await shop.tell(token, "succeeded");
  await shop.storefront.checkout.resume(token);
  expect(await poll()).not.toBe(shown);
  const sentOn = await visit(shop, `${url}?return`);
  expect(sentOn.location).toBe(`${shop.origin}/thanks?session=${id}`);
  // Without script the browser asks by itself.
  expect(page.html).toMatch(
    /<noscript>\s*<meta http-equiv="refresh" content="10; url=[^"]+\?return">/,
  );
});

test("the sandbox lets the buyer choose what a test payment does, in test mode alone", async () => {
  const shop = await openCheckoutShop();
  const sandbox = await shop.owner.paymentMethods.create(shop.store.id, {
    type: "pix",
    name: "Pix da sandbox",
    currencies: ["BRL"],
    gateway: "sandbox",
  });
  const live = await visit(shop, (await shop.session()).url);
  expect(live.html).not.toMatch(/name="outcome"|class="test-mode"|Pix da sandbox/);

  const { url, id } = await shop.session({ livemode: false });
  const page = await visit(shop, url);
  expect(page.text).toContain("Modo de teste");
  const fields = { payment_method_id: sandbox.id, outcome: "qr_code" };
  expect((await pay(shop, url, fields)).status).toBe(303);
  expect((await visit(shop, url)).text).toContain("Simular o pagamento");
  const paid = await send(shop, url, { action: "check" });
  expect(paid.location).toBe(`${shop.origin}/thanks?session=${id}`);
});

test("the old name sandboxPage answers test sessions alone", async () => {
  const shop = await openCheckoutShop();
  const live = await shop.session();
  const test = await shop.session({ livemode: false });
  const { sandboxPage } = shop.storefront;
  expect((await sandboxPage.handler(new Request(live.url))).status).toBe(404);
  expect((await sandboxPage.handler(new Request(test.url))).status).toBe(200);
});

test("a gateway that does not answer holds the page for eight seconds at most", async () => {
  const shop = await openCheckoutShop();
  const { url, token } = await shop.session();
  await pay(shop, url, { payment_method_id: shop.methods.card.id });
  let answer = (): void => {};
  shop.behaviour.answered = new Promise((resolve) => {
    answer = resolve;
  });
  await shop.tell(token, "succeeded");

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const visiting = visit(shop, url);
    await vi.waitUntil(() => shop.asked.length === 1, patience);
    await vi.advanceTimersByTimeAsync(8_000);
    expect((await visiting).text).toContain("Conclua seu pagamento");
  } finally {
    vi.useRealTimers();
  }

  // The late answer is written all the same.
  answer();
  const later = async () => (await shop.storefront.checkout.view(token)).order?.status;
  await expect.poll(later).toBe("paid");
});

test.each([
  [1, "R$ 98,00 por mês"],
  [3, "R$ 98,00 a cada 3 meses"],
])("a subscription says what every %i months cost, which no coupon lowers", async (count, text) => {
  const shop = await openCheckoutShop();
  await shop.owner.paymentMethods.update(shop.store.id, shop.methods.card.id, {
    supports_recurring: true,
  });
  const recurring = { interval: "month", interval_count: count } as const;
  const { id: product_id } = shop.products.apron;
  await shop.owner.products.update(shop.store.id, product_id, { recurring });
  const items = [{ product_id, quantity: 1 }];
  const { url } = await shop.session({ items, coupon: "BEMVINDO" });

  const page = await visit(shop, url);
  expect(page.text.replace(/\s/g, " ")).toContain(text);
});

import { describe, expect, test } from "vitest";
import { english } from "../../src/dashboard/texts/en/en.ts";
import { recordFields } from "../../src/rules/audit/audit-fields.ts";
import { auditedGateway, auditedWrites } from "../owner/audited-writes.ts";
import { createDashboardShop, everything } from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const wordsOf = (body: string | null): string =>
  (body ?? "")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .replaceAll("&amp;", "&");

const portuguese = { headers: { "accept-language": "pt-BR" } };

describe.each(storages)("the audit log speaks in sentences, on %s", (_name, open) => {
  test("who changed what from what to what, in the language of the reader, with a link", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const { a, product } = shop;
    const at = `/dashboard/${a.id}/test`;
    const visitor = shop.visitor({ ...everything, actor: "Ana" });
    const page = `${at}/products/${product.id}`;
    const save = async (fields: Readonly<Record<string, string>>) => {
      shop.advance(1_000);
      expect((await visitor.submit(page, "save", fields)).status).toBe(303);
    };
    await save({ name: "Serra 1 kg", price: "145.86" });
    await save({ price: "99.00" });
    await save({ stock: "5", max_quantity: "2" });
    await save({ blocked: "yes" });

    const log = (await visitor.send(`${at}/audit`)).body ?? "";
    expect(log).toMatch(
      new RegExp(`<strong>Ana</strong> changed the price of <a href="${page}">Serra 1 kg</a> from`),
    );
    const words = wordsOf(log);
    expect(words).toContain("Ana changed the price of Serra 1 kg from R$145.86 to R$99.00");
    expect(words).toContain("Serra 1 kg: the stock to 5 and the maximum per order to 2");
    expect(words).toContain("Ana took Serra 1 kg off sale");
    expect(log).not.toMatch(/<p class="told">(?:(?!<\/p>)[\s\S])*(?:prod_|products\.)(?:[A-Z])/);

    const other = wordsOf((await visitor.send(`${at}/audit`, portuguese)).body);
    expect(other).toContain("Ana mudou o preço de Serra 1 kg de R$ 145,86 para R$ 99,00");
    expect(other).toContain("Ana tirou Serra 1 kg de venda");
  });

  test("a product, a coupon and a key have their own history, and the log shows one record's", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const { owner, a, storefront } = shop;
    const { owner: ana } = storefront.as("ana");
    const where = { store_id: a.id, livemode: false };
    const product = await ana.products.create(a.id, { name: "Mug", price: 100, currency: "BRL" });
    const discount = { discount_type: "percentage", discount_amount: 10 } as const;
    const coupon = await ana.coupons.create(a.id, { code: "TEN", ...discount });
    await ana.coupons.update(a.id, coupon.id, { discount_amount: 12.5 });
    const key = await ana.keys.create({ ...where, kind: "secret", name: "Server" });
    const at = `/dashboard/${a.id}/test`;
    const visitor = shop.visitor({ actor: "rui", stores: [a.id], access: "read" });

    const shown = async (path: string) => wordsOf((await visitor.send(`${at}/${path}`)).body);
    const ofProduct = await visitor.send(`${at}/products/${product.id}`);
    expect(wordsOf(ofProduct.body)).toContain("ana created Mug");
    expect(ofProduct.body).toContain(`href="${at}/audit?action=products.update_many"`);
    expect(ofProduct.body).toContain(`href="${at}/orders?product=${product.id}"`);
    const ofCoupon = await shown(`coupons/${coupon.id}`);
    expect(ofCoupon).toContain("ana changed the discount of the coupon TEN from 10% to 12.5%");
    expect(ofCoupon).not.toContain("Mug");
    expect(await shown(`keys/${key.id}`)).toContain("ana created the key Server");
    expect(await shown(`audit?about=coupon/${coupon.id}`)).not.toContain("created Mug");

    await owner.coupons.delete(a.id, coupon.id);
    const gone = (await visitor.send(`${at}/audit?about=coupon/${coupon.id}`)).body ?? "";
    expect(wordsOf(gone)).toContain("ana created the coupon TEN");
    expect(gone).not.toContain(`href="${at}/coupons/${coupon.id}"`);
  });

  test("an order's history says who acted, and has one line for the receivers of an event", async () => {
    const shop = await createDashboardShop({ storage: await open() });
    const { owner, a, storefront } = shop;
    const where = { store_id: a.id, livemode: false };
    for (const each of ["a", "b"])
      await owner.endpoints.create({ ...where, url: `https://${each}.example.com/in` });
    const order = await shop.buy();
    if (!order) throw new Error("Nothing was bought.");
    shop.receiver.answer = ({ url }) =>
      url.startsWith("https://a.") ? { ok: false, status: 503, error: "http_status" } : {};
    await storefront.drainWebhooks();
    const ana = storefront.as("ana");
    await ana.orders.refund(order.id, { ...where, reference: "r1", amount: 100 });
    await ana.owner.orders.addNote({ ...where, order_id: order.id, text: "Gift" });

    const page = (await shop.visitor().send(`/dashboard/${a.id}/test/orders/${order.id}`)).body;
    const [, history = ""] = (page ?? "").split('<ol class="timeline">');
    const lines = history.split("<li class=").map(wordsOf);
    expect(lines.find((line) => line.includes("Refund of R$1.00"))).toContain("By ana");
    expect(lines.find((line) => line.includes("Gift"))).toContain("By ana");
    const told = lines.filter((line) => line.includes("the order is paid"));
    expect(told.find((line) => line.includes("your software"))).toContain(
      "For your software: the order is paid1 of 2 receivers have it",
    );
    const outside = history.replace(/<details[\s\S]*?<\/details>/g, "");
    expect(outside).not.toMatch(/order\.paid|evt_|name="do" value="resend"/);
    expect(history).toContain('name="do" value="resend"');
  });
});

test("the log names exported lists and its filter's actions in words", async () => {
  const shop = await createDashboardShop();
  const { a } = shop;
  const at = `/dashboard/${a.id}/test`;
  const visitor = shop.visitor();
  const headers = { "accept-language": "pt-BR" };
  await visitor.send(`${at}/orders/export.csv`);
  await visitor.send(`${at}/books/export.csv`, { headers });

  const { body } = await visitor.send(`${at}/audit`, { headers });
  expect(wordsOf(body)).toContain("ana exportou a lista “Pedidos”");
  expect(wordsOf(body)).toContain("ana exportou a lista “Contabilidade”");
  const labels = [...(body ?? "").matchAll(/<option value="[a-z_.]+"[^>]*>([^<]+)</g)];
  expect(labels.length).toBeGreaterThan(60);
  expect(labels.filter(([, label = ""]) => /^[a-z_.]+$/.test(label))).toEqual([]);
});

test("every write of an actor has a sentence, whatever has become of its record", async () => {
  const shop = await createDashboardShop({
    storefront: {
      limits: { checkout: null },
      gateways: [auditedGateway()],
      customerPage: { baseUrl: "https://pay.example.com/account" },
    },
  });
  for (const [path, prepare] of Object.entries(auditedWrites)) {
    const call = await prepare(shop);
    await call(shop.storefront.as(path));
    shop.advance(1);
  }

  for (const sent of [{}, portuguese]) {
    let address: string | undefined = `/dashboard/${shop.a.id}/test/audit`;
    const found: string[] = [];
    while (address !== undefined) {
      const { body, status } = await shop.visitor().send(address, sent);
      expect(status).toBe(200);
      found.push(
        ...[...(body ?? "").matchAll(/<p class="told">([\s\S]*?)<\/p>/g)].map(([, p]) =>
          wordsOf(p ?? ""),
        ),
      );
      const [, next] = /rel="next"\s+href="([^"]+)"/.exec(body ?? "") ?? [];
      address = next?.replaceAll("&amp;", "&");
    }
    expect(found.length).toBeGreaterThan(50);
    expect(found.filter((each) => /\{|undefined|something|algo|version/.test(each))).toEqual([]);
  }
});

test("every field that the log keeps of a record has a name", () => {
  const nameless = Object.entries(recordFields).flatMap(([type, { shown }]) =>
    /alert|dashboard/.test(type) ? [] : [...shown].filter((name) => !(`field_${name}` in english)),
  );
  expect(nameless).toEqual([]);
});

test("what people typed is text on every page that tells of it, and a strange value breaks none", async () => {
  const shop = await createDashboardShop();
  const { a, product, storefront } = shop;
  const evil = `<img src=x onerror="alert('1')">{subject}`;
  const { owner: eve } = storefront.as(evil);
  await eve.products.update(a.id, product.id, { name: evil, price: 9_007_199_254_740_991 });
  await eve.products.update(a.id, product.id, { name: `${"long ".repeat(40)}`.trim() });
  await eve.stores.update(a.id, { name: evil });
  for (const path of ["audit", `products/${product.id}`, "audit?about=store/x", "audit?about=x"]) {
    const { status, body } = await shop.visitor().send(`/dashboard/${a.id}/test/${path}`);
    expect([path, status, /<img src=x/.test(body ?? "")]).toEqual([path, 200, false]);
  }
  const log = (await shop.visitor().send(`/dashboard/${a.id}/test/audit`)).body ?? "";
  expect(log).toContain("&lt;img src=x onerror=&quot;");
  expect(wordsOf(log)).toMatch(/to (?:long ){16}…/);
});

import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { localTime, plainNumber, readLocalTime } from "../../src/dashboard/format.ts";
import { amountInput } from "../../src/dashboard/forms/amount-input.ts";
import { readNumber } from "../../src/dashboard/forms/form-field.ts";
import { storeScreens } from "../../src/dashboard/screens.ts";
import { browserScript } from "../../src/dashboard/style/browser-script.ts";
import { english } from "../../src/dashboard/texts/en/en.ts";
import { portuguese } from "../../src/dashboard/texts/pt/pt.ts";
import { type Text, formOf as textForm } from "../../src/domain/plural.ts";
import { fillStore, idsOf, screenPaths, sell } from "../support/dashboard-records.ts";
import {
  createDashboardShop,
  type DashboardShop,
  filledIn,
  formOf,
} from "../support/dashboard-shop.ts";

const markup = `"><script>alert('x')</script><img src=x onerror=alert(1)>&`;
const portugueseReader = { "accept-language": "pt-BR" };

const addressOf = (shop: DashboardShop, path: string): string =>
  `/dashboard/${shop.a.id}/test${path === "" ? "" : `/${path}`}`;

test.each([{}, portugueseReader])(
  "a form that is sent as it was shown changes nothing (%j)",
  async (headers) => {
    const shop = await createDashboardShop();
    const { owner, a } = shop;
    await owner.stores.update(a.id, { timezone: "America/Sao_Paulo", description: "Two\nlines" });
    const { category, product, coupon, method, endpoint } = await fillStore(shop, (kind) => kind);
    const fixed = await owner.coupons.create(a.id, {
      code: "FIXED",
      discount_type: "fixed",
      discount_amount: 1_999,
      currency: "BRL",
    });
    const partition = { store_id: a.id, livemode: false };
    const state = async () => [
      await owner.products.retrieve(a.id, product.id),
      await owner.categories.retrieve(a.id, category.id),
      await owner.coupons.retrieve(a.id, coupon.id),
      await owner.coupons.retrieve(a.id, fixed.id),
      await owner.paymentMethods.retrieve(a.id, method.id),
      await owner.endpoints.retrieve(partition, endpoint.id),
      await owner.stores.retrieve(a.id),
    ];
    const before = await state();

    const visitor = shop.visitor();
    const paths = [
      `products/${product.id}`,
      `categories/${category.id}`,
      `coupons/${coupon.id}`,
      `coupons/${fixed.id}`,
      `payment-methods/${method.id}`,
      `webhooks/${endpoint.id}`,
      "settings",
    ];
    for (const path of paths) {
      const page = await visitor.send(addressOf(shop, path), { headers });
      const form = formOf(page, "save");
      const sent = await visitor.send(addressOf(shop, path), {
        form,
        headers: { ...headers, "sec-fetch-site": "same-origin" },
      });
      const faults = (sent.body ?? "").match(/<p class="error".*?<\/p>|role="alert">.*/g);
      expect([path, sent.status, faults]).toEqual([path, 303, null]);
    }
    const strip = (rows: readonly object[]) =>
      rows.map((row) => ({ ...row, updated_at: null, catalog_version: null }));
    expect(strip(await state())).toEqual(strip(before));
  },
);

test("a form of 40,000 fields does not hold up the process", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const address = addressOf(shop, "settings");
  const form = formOf(await visitor.send(address), "save");
  for (let index = 0; index < 40_000; index += 1) form.append(`x${index.toString(36)}`, "");

  // The time of the processor, which other processes of the machine do not lengthen.
  const before = process.cpuUsage();
  expect((await visitor.send(address, { form })).status).toBe(303);
  form.set("token", "wrong");
  expect((await visitor.send(address, { form })).status).toBe(403);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(4_000);
});

describe("text is never markup", () => {
  test("on any screen that shows stored texts, in titles and attributes too", async () => {
    const shop = await createDashboardShop();
    const { owner, a } = shop;
    await owner.stores.update(a.id, { name: markup, description: markup });
    const rows = await fillStore(shop, (kind) => (kind === "CODE" ? `${markup}CODE` : markup));
    shop.receiver.answer = () => ({
      ok: false,
      status: 500,
      error: "http_status",
      snippet: markup,
    });
    const sales = await sell(shop, () => markup);
    await shop.storefront.drainWebhooks();
    const paths = screenPaths({ ...sales, ...idsOf(rows) });

    const visitor = shop.visitor({ actor: markup, stores: "all", access: "all" });
    let shown = 0;
    for (const path of paths) {
      const { status, body } = await visitor.send(addressOf(shop, path));
      expect([path, status]).toEqual([path, 200]);
      expect(body).not.toMatch(/<script>|<img src=x/);
      shown += body?.split("&lt;script&gt;").length ?? 0;
    }
    expect(shown).toBeGreaterThan(100);
  });

  test("in any field of a form that is shown again", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    for (const screen of storeScreens.filter(({ path }) =>
      /new$|^settings$|^addresses$|^sessions$/.test(path),
    )) {
      for (const name of Object.keys(screen.forms ?? {}).filter(
        (each) => !/remove|end/.test(each),
      )) {
        const address = addressOf(shop, screen.path);
        const form = formOf(await visitor.send(address), name);
        const kept = new Set(["token", "once", "do", "opened"]);
        const fields = [...new Set(form.keys())].filter((field) => !kept.has(field));
        const wrong = filledIn(form, Object.fromEntries(fields.map((field) => [field, markup])));
        const old = filledIn(wrong, { token: "1.x" });
        for (const [sent, refused] of [
          [wrong, 422],
          [old, 403],
        ] as const) {
          const { status, body } = await visitor.send(address, { form: sent });
          expect([address, name, status]).toEqual([address, name, refused]);
          expect(body).not.toMatch(/<script>|<img src=x/);
          expect(body).toContain("&lt;script&gt;");
        }
      }
    }
  });
});

describe("a form that is refused", () => {
  test("says what is wrong beside the field, in the reader's words, and loses nothing", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const address = addressOf(shop, "products/new");
    const page = await visitor.send(address, { headers: portugueseReader });
    const form = filledIn(formOf(page, "create"), {
      name: "",
      price: "dez",
      slug: "Café",
      description: "Um bolo <bom>",
    });
    const headers = { ...portugueseReader, "sec-fetch-site": "same-origin" };
    const { status, body } = await visitor.send(address, { form, headers });
    expect(status).toBe(422);
    expect(body).toContain('<p class="error" id="name-error">Preencha este campo.</p>');
    expect(body).toContain('<p class="error" id="price-error">Digite um valor como 98,00.</p>');
    expect(body).toContain("Um bolo &lt;bom&gt;");
    expect(body).toContain('value="dez"');

    const second = filledIn(form, { name: "Bolo", price: "10" });
    const once = /name="once" value="([\w-]+)"/.exec(body ?? "")?.[1] ?? "";
    const again = await visitor.send(address, { form: filledIn(second, { once }), headers });
    expect(again.body).toContain("Use apenas letras minúsculas, números e hífens.");
  });

  test("for its old token is shown with what was typed, and is done when it is sent again", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const address = addressOf(shop, "products/new");
    const fields = { name: "Bolo", price: "12.50", description: "Two\nlines" };
    const form = filledIn(formOf(await visitor.send(address), "create"), fields);
    shop.advance(86_400_000);

    const refused = await visitor.send(address, { form });
    expect([refused.status, refused.body?.includes('role="alert">This form was too old')]).toEqual([
      403,
      true,
    ]);
    const again = formOf(refused, "create");
    for (const [name, value] of Object.entries(fields))
      expect([name, again.get(name)]).toEqual([name, value]);
    expect((await visitor.send(address, { form: again })).status).toBe(303);
    const { data } = await shop.owner.products.list(shop.a.id, { search: "Bolo" });
    expect(data).toMatchObject([{ price: 1_250, description: "Two\nlines" }]);
  });

  test("names the category, the coupon's code and the address that the owner's call refuses", async () => {
    const shop = await createDashboardShop();
    const visitor = shop.visitor();
    const taken = await visitor.submit(addressOf(shop, "coupons/new"), "save", {
      code: "save10",
      discount_amount: "5",
    });
    expect([taken.status, taken.body?.includes("taken already")]).toEqual([422, true]);

    const origin = await visitor.submit(addressOf(shop, "addresses"), "add_origin", {
      address: "ftp://x",
    });
    expect([origin.status, origin.body?.includes('value="ftp://x"')]).toEqual([422, true]);
  });
});

test("a new key and a new secret stand in the answer of their form alone", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const made = await visitor.submit(addressOf(shop, "keys/new"), "create", { name: "Shop" });
  const [key = ""] = /hk_test_pub_\w+/.exec(made.body ?? "") ?? [];
  expect([made.status, made.headers["cache-control"]]).toEqual([200, "no-store"]);
  expect((await shop.get("/products", { key })).status).toBe(200);
  expect((await visitor.send(addressOf(shop, "keys"))).body).not.toContain(key);

  const endpoint = await visitor.submit(addressOf(shop, "webhooks/new"), "create", {
    url: "https://hooks.example.com",
  });
  expect(endpoint.body).toMatch(/whsec_\w+/);
  const [path = ""] = /webhooks\/we_\w+/.exec(endpoint.body ?? "") ?? [];
  expect((await visitor.send(addressOf(shop, path))).body).not.toMatch(/whsec_/);
  const rotated = await visitor.submit(addressOf(shop, `${path}/rotate`), "confirm");
  expect(rotated.body).toMatch(/whsec_\w+/);
});

test("what is done says so on the next page, and no other site can make it say so", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const sent = await visitor.submit(addressOf(shop, "settings"), "save", { name: "New name" });
  const location = sent.headers["location"] ?? "";
  expect((await visitor.send(location)).body).toContain("Saved.");
  expect((await shop.visitor().send(location)).body).not.toContain("Saved.");
  const forged = location.replace("done_saved", "done_deleted");
  expect((await visitor.send(forged)).body).not.toContain("Deleted.");
});

test("saving a product leaves the stock alone that buyers have bought from meanwhile", async () => {
  const shop = await createDashboardShop();
  await shop.owner.products.update(shop.a.id, shop.product.id, { stock: 3 });
  const visitor = shop.visitor();
  const address = addressOf(shop, `products/${shop.product.id}`);
  await shop.buy();
  expect((await visitor.submit(address, "save", { name: "Renamed" })).status).toBe(303);
  await shop.buy();
  await shop.buy();
  const none = await shop.session();
  expect([none.status, none.body.error?.code]).toEqual([400, "insufficient_stock"]);
});

test.each([
  ["98", "en", "98"],
  ["98.00", "en", "98.00"],
  ["98,00", "en", "98.00"],
  ["1,234.50", "en-US", "1234.50"],
  ["1,234", "en", "1234"],
  ["98,00", "pt-BR", "98.00"],
  ["98.5", "pt-BR", "98.5"],
  ["1.234,50", "pt-BR", "1234.50"],
  ["1.234", "pt-BR", "1234"],
  ["1 234,50", "pt-BR", "1234.50"],
  ["1.23.4", "pt-BR", null],
  ["-5", "en", null],
  ["1e3", "en", null],
  ["", "en", null],
])("the amount %j typed in %s is %j", (text, locale, plain) => {
  expect(plainNumber(text, locale)).toBe(plain);
});

test.each([
  ["R$ 12,00", "pt-BR", "BRL", 1_200],
  ["R$\u00a01.234,56", "pt-BR", "BRL", 123_456],
  ["R$12", "en", "BRL", 1_200],
  ["12,00 R$", "fr", "BRL", 1_200],
  ["brl 12,00", "pt-BR", "BRL", 1_200],
  ["12.00 BRL", "en", "BRL", 1_200],
  ["1.234,56", "en", "BRL", 123_456],
  ["1,234.56", "pt-BR", "BRL", 123_456],
  ["1.234.567,89", "en", "BRL", 123_456_789],
  ["12.00", "pt-BR", "BRL", 1_200],
  ["1.234", "pt-BR", "BRL", 123_400],
  ["1,234", "en", "BRL", 123_400],
  ["1.234", "pt-BR", "JPY", 1_234],
  ["1,234", "pt-BR", "KWD", 1_234],
  ["1,234", "pt-BR", "BRL", "fault_amount_unclear"],
  ["R$ 1.234", "en", "BRL", "fault_amount_unclear"],
  ["1.234", "pt-BR", "KWD", "fault_amount_unclear"],
  ["$ 12,00", "pt-BR", "BRL", "fault_currency"],
  ["US$ 12,00", "pt-BR", "BRL", "fault_currency"],
  ["12 EUR", "pt-BR", "BRL", "fault_currency"],
  ["$12.00", "en-US", "USD", 1_200],
  ["R$ -12,00", "pt-BR", "BRL", "fault_amount"],
  ["12,345.6.7", "pt-BR", "BRL", "fault_amount"],
  ["R$", "pt-BR", "BRL", "fault_amount"],
])("the amount %j pasted in %s as %s is %j", (text, locale, currency, expected) => {
  const read = readNumber(text, locale, currency);
  expect("fault" in read ? read.fault : read.value).toBe(expected);
});

test("every amount is read as the forms write it, also where a currency has three decimals", () => {
  for (const currency of ["BRL", "JPY", "KWD", "CLF", "USD"])
    for (const locale of ["pt-BR", "en", "de", "fr"])
      for (const amount of [0, 5, 123, 1_234, 123_400, 1_234_567]) {
        const typed = amountInput(amount, currency, locale);
        const read = [typed, readNumber(typed, locale, currency)];
        expect(read).toEqual([typed, { value: amount }]);
      }
});

test("a pasted amount that can be read in two ways is told so beside its field", async () => {
  const shop = await createDashboardShop();
  const address = addressOf(shop, `products/${shop.product.id}`);
  const visitor = shop.visitor();
  const pasted = filledIn(formOf(await visitor.send(address), "save"), { price: "R$ 12,00" });
  expect((await visitor.send(address, { form: pasted })).status).toBe(303);
  expect((await shop.owner.products.retrieve(shop.a.id, shop.product.id)).price).toBe(1_200);
  const unclear = filledIn(formOf(await visitor.send(address), "save"), { price: "1.234" });
  const refused = await visitor.send(address, { form: unclear });
  expect([refused.status, refused.body]).toEqual([
    422,
    expect.stringContaining("This can be read in two ways."),
  ]);
});

test("a time that is typed is the store's, on both sides of a change of clocks", () => {
  const zone = "America/New_York";
  for (const iso of [
    "2026-03-08T06:59:00.000Z",
    "2026-03-08T07:00:00.000Z",
    "2026-11-01T07:30:00.000Z",
  ]) {
    const typed = localTime(iso, zone);
    expect([typed, readLocalTime(typed, zone)]).toEqual([typed, Date.parse(iso)]);
  }
  expect(localTime("2026-10-18T03:30:00Z", "America/Sao_Paulo")).toBe("2026-10-18T00:30");
  expect(readLocalTime("soon", zone)).toBeNull();
});

test.each([
  ["a time that comes twice is the first", "Europe/Berlin", "2026-10-25T02:30", "00:30"],
  ["and west of UTC too", "America/New_York", "2026-11-01T01:30", "05:30"],
  ["a time that is skipped is an hour later", "Europe/Berlin", "2026-03-29T02:30", "01:30"],
  ["and west of UTC too", "America/New_York", "2026-03-08T02:30", "07:30"],
])("where the clocks change, %s: %s %s", (_case, zone, typed, utc) => {
  expect(readLocalTime(typed, zone)).toBe(Date.parse(`${typed.slice(0, 10)}T${utc}Z`));
});

test("both languages fill the same places in each text", () => {
  const places = (text: Text): readonly string[] =>
    (textForm(text).match(/\{[a-z]+\}/g) ?? []).sort();
  for (const [name, text] of Object.entries(english))
    expect([name, places(portuguese[name as keyof typeof english])]).toEqual([name, places(text)]);
});

test("the sheet has 12 KB at most and the script 8 KB, both compressed", async () => {
  const shop = await createDashboardShop();
  const { body } = await shop.visitor().send("/dashboard");
  const [address = ""] = /\/dashboard\/assets\/[\w.-]+\.css/.exec(body ?? "") ?? [];
  const sheet = await shop.visitor(null).send(address);
  expect(gzipSync(sheet.body ?? "").length).toBeLessThan(12_288);
  expect(gzipSync(browserScript).length).toBeLessThan(8_192);
});

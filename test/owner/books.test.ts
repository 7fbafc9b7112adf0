import { parse } from "csv-parse/sync";
import { beforeEach, describe, expect, test } from "vitest";
import type { BooksQuery, OwnerExport } from "vitrine/owner";
import { closeDispute } from "../../src/steps/order-steps.ts";
import { textOf } from "../support/reply-text.ts";
import { createShop, type Shop, thrownBy } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const dayMs = 86_400_000;
const currencies = ["BRL", "USD", "KWD"] as const;
const digits: Readonly<Record<string, number>> = { BRL: 2, USD: 2, JPY: 0, KWD: 3 };

type Line = Readonly<Record<string, string>>;

async function linesOf({ body }: OwnerExport, delimiter = ","): Promise<readonly Line[]> {
  return parse((await textOf(body)) ?? "", { columns: true, bom: true, delimiter });
}

/** Reads a decimal amount as minor units, digit by digit. */
const minor = (text: string, currency: string): number => {
  const [whole = "", fraction = ""] = text.split(".");
  expect(fraction).toHaveLength(digits[currency] ?? 2);
  return Number(`${whole}${fraction}`);
};

const added = (lines: readonly Line[], currency: string) => {
  const own = lines.filter((line) => line["Currency"] === currency);
  const sum = (head: string): number =>
    own.reduce((total, line) => total + minor(line[head] ?? "", currency), 0);
  return {
    amount_gross: sum("Gross"),
    amount_refunded: sum("Refund"),
    amount_disputes_lost: sum("Chargeback"),
    amount_net: sum("Net"),
  };
};

describe.each(storages)("books on %s", (_name, open) => {
  let shop: Shop;
  let where: { readonly store_id: string; readonly livemode: boolean };
  const products = new Map<string, string>();
  const methods = new Map<string, string>();

  beforeEach(async () => {
    shop = await createShop(await open());
    where = { store_id: shop.a.id, livemode: false };
    for (const currency of [...currencies, "JPY"]) {
      const product = { name: `Thing, ${currency}`, price: 1_999, currency };
      products.set(currency, (await shop.owner.products.create(shop.a.id, product)).id);
      const method = { type: "card", name: "Card", currencies: [currency], gateway: "sandbox" };
      const made = await shop.owner.paymentMethods.create(shop.a.id, method as never);
      methods.set(currency, made.id);
    }
  });

  const items = (currency: string) => [{ product_id: products.get(currency) ?? "", quantity: 3 }];
  const buy = (currency: string, more: object = {}) =>
    shop.buy(
      { items: items(currency), ...more },
      {},
      {
        payment_method_id: methods.get(currency) ?? "",
      },
    );

  /** Compares the books of a span with the overview, and gives their lines. */
  async function compare(span: Pick<BooksQuery, "from" | "to">): Promise<readonly Line[]> {
    const stats = await shop.owner.stats({ ...where, ...span, interval: "month" });
    for (const lines of ["movements", "items"] as const) {
      const books = await linesOf(
        await shop.owner.exportBooks({ ...where, ...span, lines, locale: "en" }),
      );
      const known = stats.currencies.map(({ currency }) => currency);
      expect([...new Set(books.map((line) => line["Currency"]))].sort()).toEqual(known);
      for (const { currency, totals } of stats.currencies)
        expect(totals).toMatchObject(added(books, currency));
    }
    return linesOf(await shop.owner.exportBooks({ ...where, ...span, locale: "en" }));
  }

  test("add up to the overview in three currencies, month by month, each at the time of its money", async () => {
    const january = { from: "2026-01-01T03:00:00Z", to: "2026-02-01T03:00:00Z" };
    const february = { from: "2026-02-01T03:00:00Z", to: "2026-03-01T03:00:00Z" };
    const { orders } = shop.storefront;
    const sold: string[] = [];
    for (const currency of [...currencies, ...currencies, "JPY"]) {
      shop.advance(10_000);
      const order = await buy(currency, currency === "USD" ? { coupon_code: "SAVE10" } : {});
      sold.push(order.id);
    }
    const waiting = await shop.buy(
      { items: items("BRL") },
      {},
      {
        payment_method_id: methods.get("BRL") ?? "",
        input: { outcome: "pending_then_succeed" },
      },
    );
    expect(waiting.status).toBe("pending");
    await orders.refund(sold[0] ?? "", { ...where, reference: "r_1", amount: 333 });

    // Created in January, paid in February.
    shop.advance(20 * dayMs);
    await orders.markPaid(waiting.id, {
      ...where,
      reference: "late",
      amount: waiting.amount_total,
      currency: "BRL",
    });
    await orders.refund(sold[1] ?? "", { ...where, reference: "r_2" });
    await orders.openDispute(sold[2] ?? "", { ...where, reference: "d_1" });
    await orders.openDispute(sold[3] ?? "", { ...where, reference: "d_2" });
    await orders.closeDispute(sold[2] ?? "", {
      ...where,
      reference: "d_1",
      outcome: "lost",
    });
    await orders.closeDispute(sold[3] ?? "", {
      ...where,
      reference: "d_2",
      outcome: "won",
    });
    await buy("JPY");
    shop.advance(dayMs);

    const kinds = (lines: readonly Line[]) => lines.map((line) => line["Entry"]);
    const first = await compare(january);
    expect(kinds(first)).toEqual([...Array.from({ length: 7 }, () => "Sale"), "Refund"]);
    expect(first.at(-1)).toMatchObject({ Refund: "3.33", Net: "-3.33", "Before discount": "" });
    const second = await compare(february);
    expect(kinds(second).sort()).toEqual(["Chargeback", "Refund", "Sale", "Sale"]);
    expect(second[0]).toMatchObject({ "Order ID": waiting.id, Gross: "59.97", Date: "2026-02-04" });
    await compare({ from: january.from, to: february.to });
  });

  test("have a correction where a verdict was reversed, so that both months still add up", async () => {
    const order = await buy("KWD");
    const { orders } = shop.storefront;
    await orders.openDispute(order.id, { ...where, reference: "d_1" });
    await orders.closeDispute(order.id, { ...where, reference: "d_1", outcome: "lost" });
    const [payment] = await orders.listPayments(order.id, where);
    shop.advance(30 * dayMs);
    const closed = await closeDispute(shop.storage.orders, {
      ...where,
      order_id: order.id,
      dispute_id: "d_1",
      result: "won",
      money: {
        payment_reference: payment?.payment_reference ?? "",
        gateway: payment?.gateway ?? "",
        account: null,
        notification_id: "n_1",
      },
      ids: { events: ["evt_01", "evt_02"], alerts: ["alr_01"] },
      now: shop.now(),
    } as never);
    expect(closed.outcome).toBe("closed");
    shop.advance(dayMs);

    const lost = await compare({ from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" });
    expect(lost.map((line) => [line["Entry"], line["Chargeback"]])).toEqual([
      ["Sale", "0.000"],
      ["Correction", "5.997"],
    ]);
    const won = await compare({ from: "2026-02-01T00:00:00Z", to: "2026-03-01T00:00:00Z" });
    expect(won.map((line) => [line["Entry"], line["Chargeback"], line["Net"]])).toEqual([
      ["Correction", "-5.997", "5.997"],
    ]);
  });

  test("are written as Excel of the language reads them, with the period in the name", async () => {
    await shop.owner.stores.update(shop.a.id, { timezone: "America/Sao_Paulo" });
    const customer = { email: "ana@example.com", name: "=1+1", tax_id: "529.982.247-25" };
    await shop.buy(
      { items: items("BRL") },
      {},
      {
        payment_method_id: methods.get("BRL") ?? "",
        customer,
      },
    );
    const span = { from: "2026-01-01T03:00:00Z", to: "2026-02-01T03:00:00Z" };
    const pt = { ...where, ...span, locale: "pt-BR" };

    const file = await shop.owner.exportBooks(pt);
    expect(file.filename).toBe("store-a-books-test-2026-01-01_2026-01-31.csv");
    const text = (await textOf(file.body)) ?? "";
    expect(text.startsWith("\uFEFFData;Hora;Lançamento;Pedido;")).toBe(true);
    const [line] = await linesOf(await shop.owner.exportBooks(pt), ";");
    expect(line).toMatchObject({
      Data: "2026-01-15",
      Hora: "09:00:00",
      Lançamento: "Venda",
      Bruto: "59,97",
      Líquido: "59,97",
      "Forma de pagamento": "Cartão",
      Cliente: "'=1+1",
      "CPF ou CNPJ": "***",
    });
    const [shown] = await linesOf(await shop.owner.exportBooks({ ...pt, tax_ids: true }), ";");
    expect(shown?.["CPF ou CNPJ"]).toBe("***.***.247-**");
    const [item] = await linesOf(await shop.owner.exportBooks({ ...pt, lines: "items" }), ";");
    expect(item).toMatchObject({
      Produto: "Thing, BRL",
      Quantidade: "3",
      "Preço unitário": "19,99",
    });
  });

  test("have no formula for a spreadsheet that separates cells by the other sign", async () => {
    const name = "Ana,=WEBSERVICE(A1),-1;+2";
    await shop.buy(
      { items: items("BRL") },
      {},
      { payment_method_id: methods.get("BRL") ?? "", customer: { email: "ana@example.com", name } },
    );
    const span = { from: "2026-01-01T00:00:00Z", to: "2026-02-01T00:00:00Z" };
    for (const [locale, delimiter, other] of [
      ["pt-BR", ";", ","],
      ["en-US", ",", ";"],
    ] as const) {
      const { body } = await shop.owner.exportBooks({ ...where, ...span, locale });
      const text = (await textOf(body)) ?? "";
      // Excel sees no quotes but those at the beginning of a cell.
      const rows: string[][] = parse(text, {
        delimiter: other,
        quote: null,
        relax_column_count: true,
      });
      const formulas = rows.flat().filter((cell) => /^"*[=+@]|^"*-\D/.test(cell));
      expect([locale, formulas]).toEqual([locale, []]);
      expect(text.split(delimiter).length).toBeGreaterThan(20);
    }
  });

  test("refuse a span that stats refuse, and an unknown store", async () => {
    const from = "2026-01-01T00:00:00Z";
    for (const to of [from, "2027-03-01T00:00:00Z"])
      expect(await thrownBy(shop.owner.exportBooks({ ...where, from, to }))).toMatchObject({
        code: "parameter_invalid",
        param: "to",
      });
    const unknown = { ...where, store_id: "str_none", from, to: "2026-01-02T00:00:00Z" };
    expect(await thrownBy(shop.owner.exportBooks(unknown))).toMatchObject({
      code: "resource_not_found",
      param: "store_id",
    });
  });
});

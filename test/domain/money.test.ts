import { describe, expect, test } from "vitest";
import { formatMoney, parseMoney } from "vitrine/money";

/** The text without the blank that differs between versions of `Intl`. */
const shown = (amount: number, currency: string): string =>
  formatMoney(amount, currency, { locale: "en", currencyDisplay: "code" }).replace(/\s/g, " ");

describe("money has the digits of ISO 4217", () => {
  test.each([
    ["BRL", "BRL 1,234.56"],
    ["COP", "COP 1,234.56"],
    ["IDR", "IDR 1,234.56"],
    ["HUF", "HUF 1,234.56"],
    ["PKR", "PKR 1,234.56"],
    ["MGA", "MGA 1,234.56"],
    ["LBP", "LBP 1,234.56"],
    ["IQD", "IQD 123.456"],
    ["KWD", "KWD 123.456"],
    ["JPY", "JPY 123,456"],
    ["CLP", "CLP 123,456"],
    ["ISK", "ISK 123,456"],
    ["CLF", "CLF 12.3456"],
  ])("%s is shown, and read back", (currency, text) => {
    expect(shown(123_456, currency)).toBe(text);
    expect(parseMoney(text.replace(/[^\d.]/g, ""), currency)).toBe(123_456);
  });

  test("small, negative and large amounts are exact", () => {
    expect(shown(7, "BRL")).toBe("BRL 0.07");
    expect(shown(0, "JPY")).toBe("JPY 0");
    expect(shown(-5, "KWD")).toBe("-KWD 0.005");
    expect(shown(Number.MAX_SAFE_INTEGER, "BRL")).toBe("BRL 90,071,992,547,409.91");
  });

  test("the symbol and the locale are the caller's choice", () => {
    expect(formatMoney(3450, "BRL", { locale: "en" })).toBe("R$34.50");
    expect(formatMoney(3450, "BRL", { locale: "pt-BR" }).replace(/\s/g, " ")).toBe("R$ 34,50");
    expect(() => formatMoney(1, "reais")).toThrow(RangeError);
    for (const amount of [34.5, Number.NaN, Number.POSITIVE_INFINITY, "3450" as never])
      expect(() => formatMoney(amount, "BRL")).toThrow("in whole minor units: 3450 for 34.50");
  });
});

describe("an amount is read by its digits", () => {
  test("missing digits are zeros, and so are more of them than the currency has", () => {
    expect(parseMoney("34.5", "BRL")).toBe(3450);
    expect(parseMoney("34", "KWD")).toBe(34_000);
    expect(parseMoney("500.00", "JPY")).toBe(500);
    expect(parseMoney("1.15", "BRL")).toBe(115);
  });

  test("a text that is no such amount is null", () => {
    for (const text of ["", "1.", ".5", "-1", "1,50", "1e3", " 1", "1.005"])
      expect(parseMoney(text, "BRL"), text).toBeNull();
    expect(parseMoney("500.50", "JPY")).toBeNull();
    expect(parseMoney("90071992547409.92", "BRL")).toBeNull();
    expect(parseMoney("90071992547409.91", "BRL")).toBe(Number.MAX_SAFE_INTEGER);
  });
});

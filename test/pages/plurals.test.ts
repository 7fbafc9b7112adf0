import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { isText, type PluralForms, type Text } from "../../src/domain/plural.ts";
import { createChooser } from "../../src/domain/text/choose-language.ts";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { visit } from "../support/checkout-visit.ts";
import { thrownBy } from "../support/shop.ts";

const root = resolve(import.meta.dirname, "../../src");

/** The folders of the tables: whatever table is added to one of them is found too. */
const tables = [
  ["pages/texts", /^texts-\w+\.ts$/],
  ["pages/customer/texts", /^texts-\w+\.ts$/],
  ["dashboard/texts/en", /\.ts$/],
  ["dashboard/texts/pt", /\.ts$/],
  ["docs/texts", /-(?:en|pt)\.ts$/],
] as const;

const paths = tables.flatMap(([folder, pattern]) =>
  readdirSync(resolve(root, folder))
    .filter((name) => pattern.test(name))
    .map((name) => `${folder}/${name}`),
);
const modules = await Promise.all(
  paths.map(
    async (path): Promise<readonly [string, object]> => [
      path,
      await import(pathToFileURL(resolve(root, path)).href),
    ],
  ),
);

interface Found {
  readonly place: string;
  readonly lang: string;
  readonly text: Text;
}

/** Gives every text of every table, with the language that the name of its file says. */
const texts: readonly Found[] = modules.flatMap(([path, exported]) => {
  const [, lang = "en"] = /\b(en|pt)\.ts$/.exec(path) ?? [];
  return Object.values(exported).flatMap((table) =>
    Object.entries(table ?? {}).map(([name, text]) => {
      if (!isText(text)) throw new Error(`${path}: ${name} is no text.`);
      return { place: `${path} ${name}`, lang, text };
    }),
  );
});

const formsOf = (text: Text): readonly string[] =>
  typeof text === "string" ? [text] : Object.values(text);
const isCounted = ({ text }: Found): boolean =>
  formsOf(text).some((form) => form.includes("{count}"));

const counted = texts.filter(isCounted);

const wordBehind = (form = ""): string =>
  /\{count\} (?:more |mais )?(\p{L}{3,})/u.exec(form)?.[1] ?? "";

/**
 * The words that are counted, such as `days` and `pedidos`: both forms of a text have one behind
 * the count, and both begin alike. A verb such as `is` and `are` does not.
 */
const unitsOf = (lang: string): ReadonlySet<string> =>
  new Set(
    counted
      .filter((each) => each.lang === lang)
      .flatMap(({ text }) => {
        const [one, other] = typeof text === "string" ? [] : [text.one, text.other];
        const words = [wordBehind(one), wordBehind(other)];
        return words[0] !== "" && words[0]?.[0] === words[1]?.[0] ? words : [];
      }),
  );

describe("a text with a count", () => {
  test("is found in the tables of the checkout page, the dashboard and the documents", () => {
    const places = counted.map(({ place }) => place).join();
    for (const folder of ["pages/", "dashboard/", "docs/"]) expect(places).toContain(folder);
    expect(counted.length).toBeGreaterThan(50);
  });

  test("has a form for one and for others, which differ", () => {
    const wrong = counted.filter(
      ({ text }) => typeof text === "string" || text.one === undefined || text.one === text.other,
    );
    expect(wrong.map(({ place }) => place)).toEqual([]);
  });

  // CLDR: Portuguese counts 0 as one, European Portuguese does not.
  test.each([
    ["en", { 0: "other", 1: "one", 2: "other", 21: "other" }],
    ["pt", { 0: "one", 1: "one", 2: "other", 21: "other" }],
    ["pt-BR", { 0: "one", 1: "one", 2: "other", 21: "other" }],
    ["pt-PT", { 0: "other", 1: "one", 2: "other", 21: "other" }],
  ] as const)("is said in the form of its count in %s", (locale, expected) => {
    const own = counted.filter(({ lang }) => locale.startsWith(lang));
    const table = Object.fromEntries(own.map(({ place, text }) => [place, text]));
    const [lang = ""] = locale.split("-");
    const { sayCount } = createChooser(new Map([[lang, table]]), table)(locale, null);
    for (const { place, text } of own)
      for (const [count, form] of Object.entries(expected)) {
        const { [form]: words = "" } = text as PluralForms;
        expect([place, sayCount(place, Number(count))]).toEqual([
          place,
          words.replaceAll("{count}", count),
        ]);
      }
  });

  test("names its number `count`: no other value stands before a word that is counted", () => {
    for (const lang of ["en", "pt"]) {
      const units = unitsOf(lang);
      expect(units.size).toBeGreaterThan(5);
      const hidden = texts
        .filter((each) => each.lang === lang)
        .flatMap(({ place, text }) => formsOf(text).map((form) => ({ place, form })))
        .filter(({ form }) =>
          [...form.matchAll(/\{(\w+)\} (\p{L}+)/gu)].some(
            ([, value, word = ""]) => value !== "count" && units.has(word),
          ),
        );
      expect(hidden).toEqual([]);
    }
  });
});

test("a host's own language has its own forms, 21 is not 1 in it, and a wrong form is refused", async () => {
  const items = { one: "{count} товар", few: "{count} товара", other: "{count} товаров" };
  const shop = await openCheckoutShop({ checkoutPage: { texts: { ru: { items } } } });
  const shown = async (quantity: number): Promise<string> => {
    const { url } = await shop.session({
      items: [{ product_id: shop.products.apron.id, quantity }],
    });
    return (await visit(shop, url, { "accept-language": "ru" })).text;
  };
  expect(await shown(1)).toContain("1 товар ");
  expect(await shown(2)).toContain("2 товара");
  expect(await shown(5)).toContain("5 товаров");
  expect(await shown(21)).toContain("21 товар ");

  for (const wrong of [{ one: "one" }, { other: 1 }, { other: "x", plural: "y" }, 7, null]) {
    const texts = { ru: { items: wrong as unknown as string } };
    expect(await thrownBy(openCheckoutShop({ checkoutPage: { texts } }))).toMatchObject({
      code: "invalid_option",
      param: "checkoutPage.texts.ru.items",
    });
  }
});

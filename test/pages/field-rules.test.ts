import { describe, expect, test } from "vitest";
import {
  fieldRules,
  isRefused,
  type Refusal,
  type TypedField,
} from "../../src/pages/fields/field-rules.ts";
import { judgeScript } from "../../src/pages/fields/judge-script.ts";
import { isTaxId } from "../../src/pages/texts/tax-id.ts";
import { openCheckoutShop } from "../support/checkout-shop.ts";
import { buyer, pay, visit } from "../support/checkout-visit.ts";

const inBrowser = new Function(`${judgeScript}; return isRefused;`)() as (
  text: string,
  refusal: Refusal,
) => boolean;

const texts: Readonly<Record<TypedField, readonly string[]>> = {
  email: [
    "",
    "ana",
    "ana@",
    "@b",
    "ana@example.com",
    "a b@c",
    "é@ü",
    "a@b@c",
    "x".repeat(255),
    "a,b@c",
  ],
  name: ["", "Ana", "x".repeat(200), "x".repeat(201), "😀".repeat(101)],
  tax_id: [
    "",
    "529.982.247-25",
    "52998224725",
    "529 982 247 26",
    "111.111.111-11",
    "11.222.333/0001-81",
    "11.222.333/0001-82",
    "12ABC34501DE35",
    "12abc34501de35",
    "５２９９８２２４７２５",
    "123",
    "abc",
  ],
};

describe("the browser judges as the server does", () => {
  test.each(fieldRules)("$field: $refuses.kind, $fault", ({ field, refuses }) => {
    const random = Array.from({ length: 500 }, (_, index) =>
      String((index + 1) * 7_919_777_231).padStart(
        refuses.kind === "digits" ? refuses.length : 11,
        "0",
      ),
    );
    for (const text of [...texts[field], ...random])
      expect([text, inBrowser(text, refuses)]).toEqual([text, isRefused(text, refuses)]);
  });

  test("each number that is somebody's passes all rules of its field, and no other does", () => {
    const rules = fieldRules.filter(({ field, only_for }) => field === "tax_id" && !only_for);
    for (const text of texts.tax_id.slice(1))
      expect([text, rules.every(({ refuses }) => !inBrowser(text, refuses))]).toEqual([
        text,
        isTaxId(text),
      ]);
  });
});

test("the form brings the rules of its own fields with words in the reader's language", async () => {
  const shop = await openCheckoutShop({ store: { country: "PT" } });
  const rulesOf = (html: string) => {
    const [, json = ""] = /data-rules="([^"]*)"/.exec(html) ?? [];
    return JSON.parse(
      json
        .replaceAll("&quot;", '"')
        .replaceAll("&amp;", "&")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">"),
    ) as { readonly field: string; readonly text: string }[];
  };
  const abroad = rulesOf((await visit(shop, (await shop.session()).url)).html);
  expect(new Set(abroad.map(({ field }) => field))).toEqual(new Set(["email", "name"]));
  expect(abroad[0]?.text).toMatch(/^Digite seu e-mail/);

  const brazil = await openCheckoutShop();
  const { url } = await brazil.session();
  const english = await visit(brazil, url, { "accept-language": "en" });
  expect(rulesOf(english.html).map(({ field }) => field)).toContain("tax_id");
  expect(rulesOf(english.html)[0]?.text).toMatch(/^Enter your e-mail/);

  // Who sends a form without the script is judged all the same.
  const answer = await pay(brazil, url, {
    ...buyer,
    tax_id: "",
    payment_method_id: brazil.methods.boleto.id,
  });
  expect([
    answer.status,
    answer.text.includes("não pode ser gerado") || answer.text.includes("boleto"),
  ]).toEqual([422, true]);
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { detectFormat } from "vitrine/import";
import { createShop } from "../support/shop.ts";
import { storages } from "../support/storages.ts";

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url));
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");

async function* partsOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

const files: readonly (readonly [how: string, content: string | Buffer, format: string | null])[] =
  [
    ["an export of Shopify", fixture("shopify.csv"), "shopify"],
    ["one with its headers since 2024", "Title,URL handle,Price\n", "shopify"],
    ["one of Excel's Unicode text", utf16("Handle\tTitle\tVariant Price\r\n"), "shopify"],
    ["one with a line for Excel", "sep=;\r\nHandle;Variant Price\r\na;1\r\n", "shopify"],
    ["an export of WooCommerce", fixture("woocommerce.csv"), "woocommerce"],
    [
      "one in Portuguese, in Windows-1252",
      Buffer.from("Tipo;Nome;Preço\n", "latin1"),
      "woocommerce",
    ],
    ["a feed of XML", '\n <?xml version="1.0"?><rss>', "google"],
    ["a feed as a table", "id\ttitle\tprice\n", "google"],
    ["JSON lines", '{"slug":"a"}\n', "jsonl"],
    ["JSON lines behind a mark", Buffer.from('\uFEFF\n{"slug":"a"}\n'), "jsonl"],
    ["two columns of vitrine's own", "id,price\nprod_1,100\n", "own"],
    ["a table without a column that names products", "name,price\nTea,100\n", null],
    ["a table of another kind", "first name,last name\nAna,Sá\n", null],
    ["a picture", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0]), null],
    ["an empty file", Buffer.alloc(0), null],
    ["blanks alone", " \n\n", null],
    ["a text without an end of a line", `"${"x".repeat(9_000_000)}`, null],
  ];

test.each(files)("the head of %s tells its format", async (_how, content, format) => {
  const open = () => (typeof content === "string" ? content : partsOf(content));
  expect(await detectFormat(open)).toBe(format);
});

test.each(storages)("every export of products is known as one on %s", async (_name, open) => {
  const shop = await createShop(await open());
  await shop.owner.products.create(shop.a.id, { name: "Tea", price: 100, currency: "BRL" });
  const files = [
    ["csv", true, "own"],
    ["csv", false, "own"],
    ["jsonl", null, "own_jsonl"],
  ] as const;
  for (const [format, bom, detected] of files) {
    const { body } = await shop.owner.export("products", { store_id: shop.a.id, format, bom });
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    expect(await detectFormat(() => partsOf(Buffer.concat(parts)))).toBe(detected);
  }
});

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readShopifyCsv as readCsv } from "../../examples/demo/shopify-csv.ts";

const readShopifyCsv = (text: string, currency = "BRL") => readCsv(text, currency);
const columns =
  "Handle,Title,Body (HTML),Type,Tags,Published,Option1 Value,Option2 Value,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src".split(
    ",",
  );
const quoted = (value: string): string =>
  /[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
const file = (...rows: readonly Readonly<Record<string, string>>[]): string =>
  [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))]
    .map((cells) => cells.map(quoted).join(","))
    .join("\n");
const pot = { Handle: "pot", Title: "Pot", "Variant Price": "9.99" };
const demoCatalog = readFileSync(
  new URL("../../examples/demo/catalog.csv", import.meta.url),
  "utf8",
);

test("the demo's own catalog: at least 60 products in 6 categories, no row skipped, every picture local", () => {
  const { products, categories, problems } = readShopifyCsv(demoCatalog);
  expect(problems).toEqual([]);
  expect(products.length).toBeGreaterThanOrEqual(60);
  expect(categories).toHaveLength(6);
  expect(
    products
      .flatMap(({ images }) => images)
      .filter((image) => !/^\/images\/[a-z0-9-]+\.svg$/.test(image)),
  ).toEqual([]);
  expect(new Set(products.map(({ slug }) => slug)).size).toBe(products.length);
  expect(
    products.some(({ stock }) => stock !== null) && products.some(({ stock }) => stock === null),
  ).toBe(true);
});

test("an amount becomes minor units by its digits, never through floating point", () => {
  const prices = ["9.99", "19.9", "1.15", "4.35", "500", "0", "999999999.99"];
  const { products } = readShopifyCsv(
    file(...prices.map((price, i) => ({ ...pot, Handle: `p${i}`, "Variant Price": price }))),
  );
  expect(products.map(({ price }) => price)).toEqual([
    999, 1990, 115, 435, 50_000, 0, 99_999_999_999,
  ]);
});

test("a price has the digits of its currency", () => {
  const prices = (currency: string, ...texts: readonly string[]) =>
    readShopifyCsv(
      file(...texts.map((text, i) => ({ ...pot, Handle: `p${i}`, "Variant Price": text }))),
      currency,
    );

  expect(prices("COP", "9.99").products.map(({ price }) => price)).toEqual([999]);
  expect(prices("KWD", "9.995", "9").products.map(({ price }) => price)).toEqual([9995, 9000]);
  const yen = prices("JPY", "500", "500.00", "9.99");
  expect(yen.products.map(({ price }) => price)).toEqual([500, 500]);
  expect(yen.problems).toEqual([{ line: 4, message: "the price is not an amount of JPY" }]);
});

test("a compare-at price counts only above the price", () => {
  const compare = ["15.00", "9.99", "5", "", "soon"];
  const { products } = readShopifyCsv(
    file(
      ...compare.map((text, i) => ({ ...pot, Handle: `p${i}`, "Variant Compare At Price": text })),
    ),
  );
  expect(products.map(({ compare_at_price }) => compare_at_price)).toEqual([
    1500,
    null,
    null,
    null,
    null,
  ]);
});

test("variants become products of their own; a single one keeps title and handle", () => {
  const { products } = readShopifyCsv(
    file(
      { ...pot, "Option1 Value": "Default Title" },
      {
        Handle: "shirt",
        Title: "Shirt",
        "Option1 Value": "Small",
        "Option2 Value": "Azul Céu",
        "Variant Price": "1",
      },
      {
        Handle: "shirt",
        "Option1 Value": "Large",
        "Option2 Value": "Azul Céu",
        "Variant Price": "2",
      },
    ),
  );
  expect(
    products.map(({ slug, name, price, position }) => ({ slug, name, price, position })),
  ).toEqual([
    { slug: "pot", name: "Pot", price: 999, position: 0 },
    { slug: "shirt-small-azul-ceu", name: "Shirt – Small / Azul Céu", price: 100, position: 1 },
    { slug: "shirt-large-azul-ceu", name: "Shirt – Large / Azul Céu", price: 200, position: 2 },
  ]);
});

test("variants whose options have no letter of a-z are told apart by their number", () => {
  const { products, problems } = readShopifyCsv(
    file(
      { ...pot, "Option1 Value": "赤" },
      { Handle: "pot", "Option1 Value": "青", "Variant Price": "2" },
    ),
  );
  expect(problems).toEqual([]);
  expect(products.map(({ slug }) => slug)).toEqual(["pot-1", "pot-2"]);
});

test("the type becomes the category, else the tags do", () => {
  const { products, categories } = readShopifyCsv(
    file(
      { ...pot, Type: "Casa & Jardim", Tags: "ignored" },
      { ...pot, Handle: "sofa", Tags: "Sofá, Wood, !!" },
      { ...pot, Handle: "none" },
    ),
  );
  expect(categories).toEqual([
    { slug: "casa-jardim", name: "Casa & Jardim" },
    { slug: "sofa", name: "Sofá" },
    { slug: "wood", name: "Wood" },
  ]);
  expect(products.map(({ category_slugs }) => category_slugs)).toEqual([
    ["casa-jardim"],
    ["sofa", "wood"],
    [],
  ]);
});

test("unpublished products stay drafts", () => {
  const { products } = readShopifyCsv(
    file(
      ...["false", "FALSE", "true", ""].map((text, i) => ({
        ...pot,
        Handle: `p${i}`,
        Published: text,
      })),
    ),
  );
  expect(products.map(({ active }) => active)).toEqual([false, false, true, true]);
});

test("stock is counted only where a tracker is named and overselling is denied", () => {
  const row = (i: number, tracker: string, quantity: string, policy: string) => ({
    ...pot,
    Handle: `p${i}`,
    "Variant Inventory Tracker": tracker,
    "Variant Inventory Qty": quantity,
    "Variant Inventory Policy": policy,
  });
  const { products } = readShopifyCsv(
    file(
      row(0, "shopify", "8", "deny"),
      row(1, "shopify", "-3", "deny"),
      row(2, "shopify", "", "deny"),
      row(3, "", "8", "deny"),
      row(4, "shopify", "8", "continue"),
    ),
  );
  expect(products.map(({ stock }) => stock)).toEqual([8, 0, 0, null, null]);
});

test("a body becomes plain text, without scripts, markup or characters that storages refuse", () => {
  const body = `<p>Caf&#233; &amp; p&#xE3;o</p><script>alert(1)</script><!-- note --><ul><li>5 &lt; 6</li></ul>&amp;lt;&#0;&#xD800;&#9999999;`;
  const [product] = readShopifyCsv(file({ ...pot, "Body (HTML)": body })).products;
  expect(product?.description).toBe("Café & pão\n5 < 6\n&lt;");
});

test("rows that hold only a picture add it and are no products", () => {
  const { products, problems } = readShopifyCsv(
    file(
      { ...pot, "Image Src": "https://shop.example/a.jpg" },
      { Handle: "pot", "Image Src": "/images/b.svg" },
    ),
  );
  expect(problems).toEqual([]);
  expect(products.map(({ images }) => images)).toEqual([
    ["https://shop.example/a.jpg", "/images/b.svg"],
  ]);
});

test("a picture that is no web address is left out and reported; its product stays", () => {
  const sources = [
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "//evil.example/a.png",
    "https://shop.example/a b.png",
  ];
  const { products, problems } = readShopifyCsv(
    file(...sources.map((source, i) => ({ ...pot, Handle: `p${i}`, "Image Src": source }))),
  );
  expect(products.map(({ images }) => images)).toEqual([[], [], [], []]);
  expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
});

const bad: readonly (readonly [
  why: string,
  row: Readonly<Record<string, string>>,
  message: RegExp,
])[] = [
  ["no price", { "Variant Price": "" }, /price/],
  ["a negative price", { "Variant Price": "-1.00" }, /price/],
  ["a price with thousands separators", { "Variant Price": "1,299.00" }, /price/],
  ["a price with three decimals", { "Variant Price": "9.999" }, /price/],
  ["no handle", { Handle: "" }, /handle/],
  ["a handle without letters", { Handle: "---" }, /handle/],
  ["no title", { Title: "" }, /title/],
  ["a title too long for a store", { Title: "x".repeat(201) }, /title/],
  ["a body too long for a store", { "Body (HTML)": "x".repeat(20_001) }, /body/],
  ["a NUL character", { Title: "a\0b" }, /NUL/],
  [
    "a quantity that is no number",
    { "Variant Inventory Tracker": "shopify", "Variant Inventory Qty": "0x10" },
    /quantity/,
  ],
];
test.each(bad)(
  "a row with %s is reported with its line and skipped, the others are read",
  (_why, row, message) => {
    const { products, problems } = readShopifyCsv(
      file({ ...pot, Handle: "first" }, { ...pot, ...row }, { ...pot, Handle: "last" }),
    );
    expect(products.map(({ slug }) => slug)).toEqual(["first", "last"]);
    expect(problems).toEqual([{ line: 3, message: expect.stringMatching(message) }]);
  },
);

test("a second product of one slug is reported and skipped", () => {
  const { products, problems } = readShopifyCsv(
    file({ ...pot, Handle: "Café" }, { ...pot, Handle: "cafe" }),
  );
  expect(products).toHaveLength(1);
  expect(problems).toEqual([{ line: 3, message: expect.stringContaining("cafe") }]);
});

test("lines are those on which a row begins, bodies of several lines and both line ends included", () => {
  for (const end of ["\n", "\r\n"]) {
    const text = file(
      { ...pot, "Body (HTML)": "one\ntwo\nthree" },
      { ...pot, Handle: "b", Title: "", "Body (HTML)": "x\ny" },
      { ...pot, Handle: "" },
    );
    expect(readShopifyCsv(text.replaceAll("\n", end)).problems.map(({ line }) => line)).toEqual([
      5, 7,
    ]);
  }
});

test("a quote that never closes is reported where it opens, and what stands above is kept", () => {
  const { products, problems } = readShopifyCsv(`${file(pot)}\nb,"never closed\nc,C\n`);
  expect(products).toHaveLength(1);
  expect(problems).toEqual([{ line: 3, message: expect.stringContaining("quote") }]);
});

test("a row that is too short does not make the file unreadable, even as the first", () => {
  const { products, problems } = readShopifyCsv(
    `${columns.join(",")}\nshort,Short\n${file(pot).split("\n")[1]}`,
  );
  expect(products.map(({ slug }) => slug)).toEqual(["pot"]);
  expect(problems.map(({ line }) => line)).toEqual([2]);
});

test.each(["", "hello", "a,b\n1,2\n", '"'])(
  "a file that is no product export is refused with a sentence: %j",
  (text) => {
    expect(() => readShopifyCsv(text)).toThrow(/not a product export/);
  },
);

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { csv, readFile } from "./read.ts";

const readShopify = async (text: string, currency = "BRL") =>
  readFile("shopify", text, { currency });
const columns =
  "Handle,Title,Body (HTML),Type,Tags,Published,Option1 Value,Option2 Value,Variant Inventory Tracker,Variant Inventory Qty,Variant Inventory Policy,Variant Price,Variant Compare At Price,Image Src".split(
    ",",
  );
const file = (...rows: readonly Readonly<Record<string, string>>[]): string => csv(columns, rows);
const pot = { Handle: "pot", Title: "Pot", "Variant Price": "9.99" };
const demoCatalog = readFileSync(
  new URL("../../examples/demo/catalog.csv", import.meta.url),
  "utf8",
);

test("the demo's own catalog: at least 60 products in 6 categories, no row skipped, every picture local", async () => {
  const { products, categories, refused } = await readShopify(demoCatalog);
  expect(refused).toEqual([]);
  expect(products.length).toBeGreaterThanOrEqual(60);
  expect(categories).toHaveLength(6);
  expect(
    products
      .flatMap(({ images = [] }) => images)
      .filter((image) => !/^\/images\/[a-z0-9-]+\.svg$/.test(image)),
  ).toEqual([]);
  expect(new Set(products.map(({ slug }) => slug)).size).toBe(products.length);
  expect(
    products.some(({ stock }) => stock !== null) && products.some(({ stock }) => stock === null),
  ).toBe(true);
});

test("an amount becomes minor units by its digits, never through floating point", async () => {
  const prices = ["9.99", "19.9", "1.15", "4.35", "500", "0", "999999999.99"];
  const { products } = await readShopify(
    file(...prices.map((price, i) => ({ ...pot, Handle: `p${i}`, "Variant Price": price }))),
  );
  expect(products.map(({ price }) => price)).toEqual([
    999, 1990, 115, 435, 50_000, 0, 99_999_999_999,
  ]);
});

test("a price has the digits of its currency", async () => {
  const prices = async (currency: string, ...texts: readonly string[]) =>
    readShopify(
      file(...texts.map((text, i) => ({ ...pot, Handle: `p${i}`, "Variant Price": text }))),
      currency,
    );

  expect((await prices("COP", "9.99")).products.map(({ price }) => price)).toEqual([999]);
  expect((await prices("KWD", "9.995", "9.5")).products.map(({ price }) => price)).toEqual([
    9995, 9500,
  ]);
  const yen = await prices("JPY", "500", "500.00", "9.99");
  expect(yen.products.map(({ price }) => price)).toEqual([500, 500]);
  expect(yen.refused).toEqual([
    { line: 4, column: "Variant Price", message: '"9.99" is not an amount of JPY.' },
  ]);
});

test("a compare-at price counts only above the price", async () => {
  const compare = ["15.00", "9.99", "5", ""];
  const { products } = await readShopify(
    file(
      ...compare.map((text, i) => ({ ...pot, Handle: `p${i}`, "Variant Compare At Price": text })),
    ),
  );
  expect(products.map(({ compare_at_price }) => compare_at_price)).toEqual([
    1500,
    null,
    null,
    null,
  ]);
});

test("variants become products of their own; a single one keeps title and handle", async () => {
  const { products } = await readShopify(
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
  expect(products.map(({ slug, name, price }) => ({ slug, name, price }))).toEqual([
    { slug: "pot", name: "Pot", price: 999 },
    { slug: "shirt-small-azul-ceu", name: "Shirt – Small / Azul Céu", price: 100 },
    { slug: "shirt-large-azul-ceu", name: "Shirt – Large / Azul Céu", price: 200 },
  ]);
});

test("variants whose options have no letter of a-z are told apart by their number", async () => {
  const { products, refused } = await readShopify(
    file(
      { ...pot, "Option1 Value": "赤" },
      { Handle: "pot", "Option1 Value": "青", "Variant Price": "2" },
    ),
  );
  expect(refused).toEqual([]);
  expect(products.map(({ slug }) => slug)).toEqual(["pot-1", "pot-2"]);
});

test("variants whose options give one slug are told apart by their number", async () => {
  const group = (Handle: string, ...values: readonly string[][]) =>
    values.map(([one = "", two = ""]) => ({
      ...{ ...pot, Handle, "Option1 Value": one, "Option2 Value": two },
    }));
  const handle = "x".repeat(100);
  const { products, refused } = await readShopify(
    file(
      ...group("lens", ["-1.5"], ["+1.5"]),
      ...group("shirt", ["赤", "S"], ["青", "S"]),
      ...group(handle, ["S"], ["M"]),
    ),
  );
  expect(refused).toEqual([]);
  expect(products.map(({ slug }) => slug)).toEqual([
    ...["lens-1-5", "lens-1-5-2", "shirt-s", "shirt-s-2"],
    ...[handle, `${"x".repeat(90)}-2`],
  ]);
});

test("the type becomes the category, else the tags do", async () => {
  const { products, categories } = await readShopify(
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
  expect(products.map(({ categories: own }) => own?.map(({ slug }) => slug))).toEqual([
    ["casa-jardim"],
    ["sofa", "wood"],
    [],
  ]);
});

test("unpublished products stay drafts", async () => {
  const { products } = await readShopify(
    file(
      ...["false", "FALSE", "FALSO", "FAUX", "true", "VERDADEIRO", ""].map((text, i) => ({
        ...pot,
        Handle: `p${i}`,
        Published: text,
      })),
    ),
  );
  const drafts = [false, false, false, false];
  expect(products.map(({ active }) => active)).toEqual([...drafts, true, true, true]);
});

test("stock is counted only where a tracker is named and overselling is denied", async () => {
  const row = (i: number, tracker: string, quantity: string, policy: string) => ({
    ...pot,
    Handle: `p${i}`,
    "Variant Inventory Tracker": tracker,
    "Variant Inventory Qty": quantity,
    "Variant Inventory Policy": policy,
  });
  const { products } = await readShopify(
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

test("pieces that the file has no column of are not told, and noted where they are counted", async () => {
  const text = "Handle,Title,Variant Price,Variant Inventory Tracker\na,A,1,shopify\nb,B,1,\n";
  const { products, notes } = await readShopify(text);
  expect(products.map(({ stock }) => stock)).toEqual([undefined, null]);
  expect(notes.map(({ line, column }) => [line, column])).toEqual([[2, "Variant Inventory Qty"]]);

  const pieces = "Handle,Title,Variant Price,Variant Inventory Qty\na,A,1,5\nb,B,1,\n";
  expect((await readShopify(pieces)).products.map(({ stock }) => stock)).toEqual([5, undefined]);
});

test("a body becomes plain text, without scripts, markup or characters that storages refuse", async () => {
  const body = `<p>Caf&#233; &amp; p&#xE3;o</p><script>alert(1)</script><!-- note --><ul><li>5 &lt; 6</li></ul>&amp;lt;&#0;&#xD800;&#9999999;`;
  const [product] = (await readShopify(file({ ...pot, "Body (HTML)": body }))).products;
  expect(product?.description).toBe("Café & pão\n5 < 6\n&lt;");
});

test("a SKU that a spreadsheet has cut is left out and noted", async () => {
  const text = "Handle;Title;Variant Price;Variant SKU\npot;Pot;9,90;1,5E+12\n";
  const { products, notes } = await readShopify(text);
  expect(products.map(({ sku }) => sku)).toEqual([null]);
  expect(notes).toEqual([
    { line: 2, column: "Variant SKU", message: expect.stringContaining("1,5E+12 is left out") },
  ]);
});

test("cells of a table in a body stand apart, and each row is a line", async () => {
  const body =
    "Sizes<table><tr><th>Size</th><th>Chest</th></tr><tr><td>S</td><td>90</td></tr></table>" +
    "<hr><dl><dt>Wash</dt><dd>Cold</dd></dl>";
  const [product] = (await readShopify(file({ ...pot, "Body (HTML)": body }))).products;
  expect(product?.description).toBe("Sizes\nSize Chest\nS 90\nWash\nCold");
});

test("rows that hold only a picture add it and are no products", async () => {
  const { products, refused } = await readShopify(
    file(
      { ...pot, "Image Src": "https://shop.example/a.jpg" },
      { Handle: "pot", "Image Src": "/images/b.svg" },
    ),
  );
  expect(refused).toEqual([]);
  expect(products.map(({ images }) => images)).toEqual([
    ["https://shop.example/a.jpg", "/images/b.svg"],
  ]);
});

test("a picture that is no web address is left out and reported; its product stays", async () => {
  const sources = [
    "javascript:alert(1)",
    "data:image/png;base64,AA",
    "//evil.example/a.png",
    "https://shop.example/a b.png",
  ];
  const { products, notes } = await readShopify(
    file(...sources.map((source, i) => ({ ...pot, Handle: `p${i}`, "Image Src": source }))),
  );
  expect(products.map(({ images }) => images)).toEqual([[], [], [], []]);
  expect(notes.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
});

test("what is noted of pictures stays when the first variant is refused", async () => {
  const variant = { ...pot, "Option1 Name": "Size", "Image Src": "javascript:alert(1)" };
  const { products, refused, notes } = await readShopify(
    file(
      { ...variant, "Option1 Value": "S", "Variant Price": "free" },
      { ...pot, "Option1 Value": "M" },
      { ...pot, "Option1 Value": "L" },
    ),
  );
  expect([products.length, refused.length]).toEqual([2, 1]);
  expect(notes.map(({ line, column }) => [line, column])).toEqual([[2, "Image Src"]]);
});

const bad: readonly (readonly [
  why: string,
  row: Readonly<Record<string, string>>,
  message: RegExp,
])[] = [
  ["no price", { "Variant Price": "" }, /price/],
  ["a negative price", { "Variant Price": "-1.00" }, /amount/],
  ["a price whose signs stand nowhere", { "Variant Price": "12,99.00" }, /amount/],
  ["a compare-at price that is none", { "Variant Compare At Price": "soon" }, /amount/],
  ["a price with three decimals", { "Variant Price": "9.9999" }, /amount/],
  ["no handle", { Handle: "" }, /handle/],
  ["a handle without letters", { Handle: "---" }, /handle/],
  ["no title", { Title: "" }, /name/],
  ["a title too long for a store", { Title: "x".repeat(201) }, /name/],
  ["a body too long for a store", { "Body (HTML)": "x".repeat(20_001) }, /description/],
  ["a NUL character", { Title: "a\0b" }, /NUL/],
  [
    "a quantity that is no number",
    { "Variant Inventory Tracker": "shopify", "Variant Inventory Qty": "0x10" },
    /stock/,
  ],
];
test.each(bad)(
  "a row with %s is reported with its line and skipped, the others are read",
  async (_why, row, message) => {
    const { products, refused } = await readShopify(
      file({ ...pot, Handle: "first" }, { ...pot, ...row }, { ...pot, Handle: "last" }),
    );
    expect(products.map(({ slug }) => slug)).toEqual(["first", "last"]);
    expect(refused).toEqual([
      expect.objectContaining({ line: 3, message: expect.stringMatching(message) }),
    ]);
  },
);

test("a second product of one slug is reported and skipped", async () => {
  const { products, refused } = await readShopify(
    file({ ...pot, Handle: "Café" }, { ...pot, Handle: "cafe" }),
  );
  expect(products).toHaveLength(1);
  expect(refused).toEqual([
    expect.objectContaining({ line: 3, message: expect.stringContaining("cafe") }),
  ]);
});

test("lines are those on which a row begins, bodies of several lines and both line ends included", async () => {
  for (const end of ["\n", "\r\n"]) {
    const text = file(
      { ...pot, "Body (HTML)": "one\ntwo\nthree" },
      { ...pot, Handle: "b", Title: "", "Body (HTML)": "x\ny" },
      { ...pot, Handle: "" },
    );
    const { refused } = await readShopify(text.replaceAll("\n", end));
    expect(refused.map(({ line }) => line)).toEqual([5, 7]);
  }
});

test("a quote that never closes is reported where it opens, and what stands above is kept", async () => {
  const { products, refused } = await readShopify(`${file(pot)}\nb,"never closed\nc,C\n`);
  expect(products).toHaveLength(1);
  expect(refused).toEqual([
    expect.objectContaining({ line: 3, message: expect.stringContaining("quote") }),
  ]);
});

test("a row that is too short does not make the file unreadable, even as the first", async () => {
  const { products, refused } = await readShopify(
    `${columns.join(",")}\nshort,Short\n${file(pot).split("\n")[1]}`,
  );
  expect(products.map(({ slug }) => slug)).toEqual(["pot"]);
  expect(refused.map(({ line }) => line)).toEqual([2]);
});

test.each(["", "hello", "a,b\n1,2\n", '"'])(
  "a file that is no product export is refused with a sentence: %j",
  async (text) => {
    await expect(readShopify(text)).rejects.toThrow(/not a product export/);
  },
);

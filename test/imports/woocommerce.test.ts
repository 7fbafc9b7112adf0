import { expect, test } from "vitest";
import { csv, readFile } from "./read.ts";

const columns = [
  "ID",
  "Type",
  "SKU",
  "Name",
  "Published",
  "Visibility in catalog",
  "Description",
  "Date sale price ends",
  "In stock?",
  "Stock",
  "Backorders allowed?",
  "Sale price",
  "Regular price",
  "Categories",
  "Images",
  "Parent",
  "Attribute 1 value(s)",
];
type Row = Readonly<Record<string, string>>;
const mug = { ID: "1", Type: "simple", SKU: "MUG", Name: "Mug", "Regular price": "10.00" };
const read = async (...rows: readonly Row[]) => readFile("woocommerce", csv(columns, rows));

test("headers in English, Portuguese and Spanish name the same columns", async () => {
  const headers = [
    ["Type", "SKU", "Name", "Published", "Stock", "Sale price", "Regular price", "Categories"],
    ["Tipo", "SKU", "Nome", "Publicado", "Estoque", "Preço promocional", "Preço", "Categorias"],
    [
      "Tipo",
      "SKU",
      "Nombre",
      "Publicado",
      "Inventario",
      "Precio rebajado",
      "Precio normal",
      "Categorías",
    ],
  ];
  for (const header of headers) {
    const row = ["simple", "MUG", "Caneca", "1", "5", "8,50", "10,00", "Casa > Cozinha"];
    const text = [header.join(";"), row.join(";")].join("\r\n");
    const { products } = await readFile("woocommerce", Buffer.from(text, "latin1"));
    expect(products).toEqual([
      {
        slug: "mug",
        sku: "MUG",
        name: "Caneca",
        price: 850,
        compare_at_price: 1000,
        currency: "BRL",
        categories: [
          { slug: "casa", name: "Casa" },
          { slug: "casa-cozinha", name: "Cozinha" },
        ],
        active: true,
        stock: 5,
      },
    ]);
  }
});

test("published is 1; private, a draft and what the catalog hides are drafts", async () => {
  const { products } = await read(
    ...["1", "0", "-1"].map((Published, index) => ({ ...mug, SKU: `M${index}`, Published })),
    { ...mug, SKU: "M3", Published: "1", "Visibility in catalog": "hidden" },
  );
  expect(products.map(({ active }) => active)).toEqual([true, false, false, false]);
});

test("categories are split at commas, and one in a name stands behind a backslash", async () => {
  const { products } = await read({ ...mug, Categories: "A > B, C, Salt\\, pepper" });
  expect(products[0]?.categories?.map(({ slug, name }) => [slug, name])).toEqual([
    ["a", "A"],
    ["a-b", "B"],
    ["c", "C"],
    ["salt-pepper", "Salt, pepper"],
  ]);
});

const shirt = {
  ID: "7",
  Type: "variable",
  SKU: "SHIRT",
  Name: "Shirt",
  Published: "1",
  Description: "<b>Soft</b>",
  Categories: "Clothes",
  Images: "https://shop.example/a.jpg",
};
const small = { ID: "8", Type: "variation", "Regular price": "20.00", Published: "1" };

test("a variation finds its parent by SKU or id, before or behind it, and takes its fields", async () => {
  const { products, refused } = await read(
    { ...small, Parent: "id:7", Name: "Shirt - S", "Attribute 1 value(s)": "S" },
    shirt,
    { ...small, ID: "9", Parent: "SHIRT", SKU: "SHIRT-M", "Attribute 1 value(s)": "M" },
  );
  expect(refused).toEqual([]);
  const common = {
    description: "Soft",
    images: ["https://shop.example/a.jpg"],
    categories: [{ slug: "clothes", name: "Clothes" }],
    active: true,
  };
  expect(products).toEqual([
    expect.objectContaining({ ...common, slug: "shirt-s", name: "Shirt - S" }),
    expect.objectContaining({ ...common, slug: "shirt-m", name: "Shirt – M" }),
  ]);
});

test("variations of an unpublished product are drafts", async () => {
  const { products } = await read(
    { ...shirt, Published: "-1" },
    { ...small, Parent: "SHIRT", SKU: "S" },
  );
  expect(products.map(({ active }) => active)).toEqual([false]);
});

test("a variable product that no row is a variation of is refused, with or without a key", async () => {
  const { products, refused } = await read(
    { ...shirt, ID: "", SKU: "" },
    { ...shirt, ID: "10", SKU: "CAP" },
    { ...small, Parent: "SHIRT" },
    shirt,
  );
  expect(products).toHaveLength(1);
  expect(refused.map(({ line, column }) => [line, column])).toEqual([
    [2, "Type"],
    [3, "Type"],
  ]);
  expect(refused[0]?.message).toContain("has none of it");
});

const refusals: readonly (readonly [why: string, row: Row, column: string])[] = [
  ["a parent that the file does not have", { ...small, Parent: "id:99" }, "Parent"],
  ["no parent", small, "Parent"],
  ["pieces that its parent counts", { ...small, Parent: "id:7", Stock: "parent" }, "Stock"],
  ["no price", { ...mug, "Regular price": "" }, "Regular price"],
  ["a price that is none", { ...mug, "Regular price": "free" }, "Regular price"],
  ["half a piece", { ...mug, Stock: "2.5" }, "Stock"],
  ["neither SKU nor ID", { ...mug, SKU: "", ID: "" }, "SKU"],
  ["a product of another shop", { ...mug, Type: "external" }, "Type"],
  ["a list of products", { ...mug, Type: "grouped" }, "Type"],
  ["a subscription", { ...mug, Type: "subscription, virtual" }, "Type"],
  ["a variation of one", { ...small, Type: "subscription_variation", Parent: "SHIRT" }, "Type"],
  ["no name", { ...mug, Name: "" }, "Name"],
];
test.each(refusals)("a row with %s is refused by its column", async (_why, row, column) => {
  const { products, refused } = await read(shirt, row, { ...mug, ID: "2", SKU: "LAST" });
  const own = refused.filter(({ line }) => line === 3);
  expect(own).toEqual([expect.objectContaining({ column })]);
  expect(products.map(({ slug }) => slug)).toEqual(["last"]);
});

test("stock is counted, unless what is gone may be ordered", async () => {
  const rows: readonly Row[] = [
    { Stock: "5" },
    { Stock: "-2" },
    { Stock: "5", "Backorders allowed?": "notify" },
    { "In stock?": "0" },
    { "In stock?": "1" },
  ];
  const { products } = await read(...rows.map((row, i) => ({ ...mug, SKU: `M${i}`, ...row })));
  expect(products.map(({ stock }) => stock)).toEqual([5, 0, null, 0, null]);
});

test("a sale price that ends by itself is passed over", async () => {
  const { products } = await read({
    ...mug,
    "Sale price": "8.00",
    "Date sale price ends": "2026-12-01",
  });
  expect(products).toEqual([expect.objectContaining({ price: 1000, compare_at_price: null })]);
});

test("the quote that the export puts before a formula is taken away", async () => {
  const { products } = await read({ ...mug, Name: "'=Equal mug" });
  expect(products[0]?.name).toBe("=Equal mug");
});

test("cells are read as the export writes them: quotes, entities and new lines", async () => {
  const { products, refused } = await read(
    {
      ...{ ...mug, Name: "Salt &amp; pepper", Categories: "Home &amp; garden > Salt, Sale" },
      ...{ Stock: "'-3", Published: "'-1", SKU: "'-MUG" },
      Description: "<p>One</p>\\n\\n<ul>\\n<li>Two</li>\\n</ul>\\nC:\\\\new",
    },
    { ...shirt, Description: "Soft\\nand warm", Name: "Shirt &amp; tie" },
    { ...small, Parent: "SHIRT", "Attribute 1 value(s)": "'-1" },
  );
  expect(refused).toEqual([]);
  expect(products[0]).toMatchObject({
    ...{ slug: "mug", sku: "-MUG", name: "Salt & pepper", active: false, stock: 0 },
    description: "One\nTwo\nC:\\new",
    categories: [
      { slug: "home-garden", name: "Home & garden" },
      { slug: "home-garden-salt", name: "Salt" },
      { slug: "sale", name: "Sale" },
    ],
  });
  expect(products[1]).toMatchObject({ name: "Shirt & tie – -1", description: "Soft\nand warm" });
});

test("a question mark alone tells two columns of a Spanish export apart", async () => {
  const header = ["Tipo", "SKU", "Nombre", "¿Existencias?", "Inventario", "Precio normal"];
  const rows = [
    ["simple", "A", "Taza", "1", "4", "10,00"],
    ["simple", "B", "Vaso", "0", "", "10,00"],
  ];
  const text = [header, ...rows].map((cells) => cells.join(";")).join("\n");
  const stocks = async (content: string | Uint8Array) =>
    (await readFile("woocommerce", content)).products.map(({ stock }) => stock);
  expect(await stocks(text)).toEqual([4, 0]);
  expect(await stocks(Buffer.from(text, "latin1"))).toEqual([4, 0]);
  expect(await stocks(text.replace("Inventario", "Existencias"))).toEqual([4, 0]);
  expect(await stocks(text.replace("¿Existencias?", "¿Hay existencias?"))).toEqual([4, 0]);
});

test("two SKUs of the same letters are two products", async () => {
  const { products, refused } = await read({ ...mug, SKU: "A-1" }, { ...mug, ID: "2", SKU: "A+1" });
  expect(refused).toEqual([]);
  expect(products.map(({ slug, sku }) => [slug, sku])).toEqual([
    ["a-1", "A-1"],
    ["a-1-2", "A+1"],
  ]);
});

test("a SKU that a spreadsheet has cut is left out, and names no parent", async () => {
  const cut = "7,89E+12";
  const { products, refused, notes } = await read(
    { ...mug, SKU: cut },
    { ...shirt, SKU: cut },
    { ...small, Parent: "id:7", SKU: "7.89012E+12", "Attribute 1 value(s)": "S" },
    { ...small, ID: "9", Parent: cut, "Attribute 1 value(s)": "M" },
  );
  expect(products.map(({ slug, sku }) => [slug, sku])).toEqual([
    ["mug-1", null],
    ["shirt-7-s", null],
  ]);
  expect(refused.map(({ line, column }) => [line, column])).toEqual([[5, "Parent"]]);
  expect(notes.map(({ line, column }) => [line, column])).toEqual([
    [2, "SKU"],
    [4, "SKU"],
  ]);
});

test("cells made to be slow are read at once, and their first entries count", async () => {
  const parent = { Type: "variable", SKU: "TEE", Name: "Tee", ID: "9" };
  const Categories = `${"a > ".repeat(20_000)}, b`;
  const rows = Array.from({ length: 40 }, (_, at) => ({
    ...{ ID: String(at + 10), Type: "variation", Parent: "TEE", "Regular price": "1.00" },
    "Attribute 1 value(s)": `v${at}`,
  }));
  const started = performance.now();
  const { products } = await read(
    { ...parent, Categories, Images: `/a.png,${"x,".repeat(200_000)}` },
    ...rows,
  );
  expect(products).toHaveLength(40);
  expect(products[0]).toMatchObject({ images: ["/a.png"], categories: expect.any(Array) });
  expect(products[0]?.categories).toHaveLength(50);
  expect(performance.now() - started).toBeLessThan(10_000);
});

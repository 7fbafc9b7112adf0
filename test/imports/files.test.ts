import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readProducts } from "vitrine/import";
import { csv, readFile } from "./read.ts";

const old = ["Handle", "Title", "Body (HTML)", "Variant SKU", "Variant Price"];
const since = ["URL handle", "Title", "Description", "SKU", "Price"];
const cells = (columns: readonly string[], ...texts: readonly string[]) =>
  Object.fromEntries(columns.map((column, index) => [column, texts[index] ?? ""]));
const table = (columns: readonly string[], separator = ",") =>
  csv(
    columns,
    [
      cells(columns, "cafe", "Café", "<p>Pão de açúcar</p>", "C-1", "19.90"),
      cells(columns, "pot", 'Pot, 12" wide', "", "P-1", "5.00"),
    ],
    separator,
  );
const expected = [
  { slug: "cafe", sku: "C-1", name: "Café", description: "Pão de açúcar", price: 1990 },
  { slug: "pot", sku: "P-1", name: 'Pot, 12" wide', description: null, price: 500 },
].map((each) => expect.objectContaining(each));

const utf16 = (text: string, bigEndian = false): Uint8Array => {
  const bytes = Buffer.from(text, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};

describe("how a file is saved makes no difference", () => {
  const texts: readonly (readonly [how: string, content: string | Uint8Array])[] = [
    ["as text", table(old)],
    ["with the headers that Shopify has since 2024", table(since)],
    ["with semicolons", table(old, ";")],
    ["with tabs", table(since, "\t")],
    ["with a first line that names the separator", `sep=;\r\n${table(old, ";")}`],
    ["with CRLF", table(old).replaceAll("\n", "\r\n")],
    ["with CR alone", table(old).replaceAll("\n", "\r")],
    ["in UTF-8", Buffer.from(table(old))],
    ["in UTF-8 with a byte order mark", Buffer.from(`\uFEFF${table(old)}`)],
    ["in UTF-16 as Excel's Unicode text", utf16(`\uFEFF${table(old, "\t")}`)],
    ["in UTF-16, the high byte first", utf16(`\uFEFF${table(old)}`, true)],
    ["in UTF-16 without a mark", utf16(table(old))],
    ["in Windows-1252 as Excel's plain CSV", Buffer.from(table(old, ";"), "latin1")],
    ["with rows of separators alone", `${table(old)}\n,,,,\n,,,,\n`],
  ];
  test.each(texts)("%s", async (_how, content) => {
    const { products, refused, complete } = await readFile("shopify", content);
    expect(refused).toEqual([]);
    expect(products).toEqual(expected);
    expect(complete).toBe(true);
  });

  test("in UTF-8 with a letter that a program has cut in two: its row alone is refused", async () => {
    const rows = [
      cells(old, "cut", "Açaí com maç", "", "", "5.00"),
      cells(old, "cafe", "Café", "", "", "5.00"),
    ];
    const bytes = Buffer.from(csv(old, rows));
    const cut = bytes.indexOf("ç,");
    const content = Buffer.concat([bytes.subarray(0, cut + 1), bytes.subarray(cut + 2)]);
    const { products, refused } = await readFile("shopify", content);
    expect(products.map(({ name }) => name)).toEqual(["Café"]);
    expect(refused).toEqual([
      { line: 2, column: "Title", message: expect.stringContaining("cannot be read") },
    ]);
  });

  test("in UTF-8 that has the sign of a lost letter itself", async () => {
    const bytes = Buffer.from(csv(old, [cells(old, "lost", "A\ufffda", "", "", "5.00")]));
    expect((await readFile("shopify", bytes)).products[0]?.name).toBe("A\ufffda");
  });
});

test("a text as long as a store takes is read, whatever its characters", async () => {
  const rows = [cells(old, "a", "😀".repeat(200), "🌵".repeat(20_000), "🎁".repeat(255), "1.00")];
  const { products, refused } = await readFile("shopify", csv(old, rows));
  expect([products.length, refused]).toEqual([1, []]);

  const longer = [cells(old, "a", "😀".repeat(201), "", "", "1.00")];
  expect((await readFile("shopify", csv(old, longer))).refused).toHaveLength(1);
});

describe("amounts", () => {
  const read = async (prices: readonly string[], decimal?: "." | ",", currency = "BRL") => {
    const rows = prices.map((price, index) => cells(old, `p${index}`, "P", "", "", price));
    const { products, refused } = await readFile("shopify", csv(old, rows), { decimal, currency });
    return [products.map(({ price }) => price), refused.map(({ line }) => line)];
  };

  test("a column with a comma as its decimal sign is read so, thousands included", async () => {
    expect(await read(["1.234,56", "1.234", "9,90", "7"])).toEqual([
      [123_456, 123_400, 990, 700],
      [],
    ]);
    expect(await read(["1.234.567", "1.234"])).toEqual([[123_456_700, 123_400], []]);
  });

  test("a column with a point as its decimal sign is read so, thousands included", async () => {
    expect(await read(["1,234.56", "1,234", "9.90", "7"])).toEqual([
      [123_456, 123_400, 990, 700],
      [],
    ]);
  });

  test("an amount that may be a thousand or one is refused when no other tells", async () => {
    expect(await read(["1.234", "7"])).toEqual([[700], [2]]);
    expect(await read(["1,234", "7"])).toEqual([[700], [2]]);
    expect(await read(["1.234,56", "1,234.56", "1.234"])).toEqual([[123_456, 123_456], [4]]);
  });

  test("the sign that is given decides, and an amount against it is refused", async () => {
    expect(await read(["1.234", "9.90"], ",")).toEqual([[123_400], [3]]);
    expect(await read(["1,234", "9,90"], ".")).toEqual([[123_400], [3]]);
  });

  test("symbols are passed over, and another currency's code or symbol is refused", async () => {
    expect(await read(["R$ 1.234,56", "10,00 BRL", "USD 5,00", "5,00 EUR"])).toEqual([
      [123_456, 1000],
      [4, 5],
    ]);
    expect(await read(["R$9,90", "$ 9,90", "US$ 9,90", "€ 9,90", "9,90 €", "¥9", "£9"])).toEqual([
      [990, 990],
      [4, 5, 6, 7, 8],
    ]);
    expect(await read(["US$ 9.90", "$9.90", "R$ 9.90", "A$ 9.90"], ".", "USD")).toEqual([
      [990, 990],
      [4, 5],
    ]);
    expect(await read(["9,90 €", "€ 9,90"], ",", "EUR")).toEqual([[990, 990], []]);
  });

  test("every amount comes back from either way of writing it", async () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 99_999_999_999 }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.asyncProperty(amounts, fc.constantFrom("pt-BR", "en-US"), async (minor, locale) => {
        const format = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
        const texts = minor.map((amount) => format.format(amount / 100));
        expect(await read(texts)).toEqual([minor, []]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("broken rows", () => {
  const good = (index: number): string => `good-${index},Good ${index},,,${index}.50`;
  const broken = fc.constantFrom(
    ",No handle,,,1.00",
    "no-price,No price,,,",
    "bad,Bad,,,1.2.3",
    "bad,Bad,,,-5.00",
    "untitled,,,,5.00",
    "wide,Wide,,,5.00,6,7",
    "short",
    "good-0,Again,,,5.00",
    'inch,12" pipe and more,,,x',
    '"odd"quote,Odd,,,x',
    "---,Nothing,,,5.00",
    "\u0001\u0002",
  );

  test("every row is a product or refused with its line, and no good one is lost", async () => {
    const lines = fc.array(fc.oneof(fc.constant(null), broken), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(lines, async (all) => {
        const rows = all.map((row, index) => row ?? good(index + 1));
        const text = [old.join(","), good(0), ...rows].join("\n");
        const { products, refused, complete } = await readFile("shopify", Buffer.from(text));

        const kept = all.flatMap((row, index) => (row === null ? [`good-${index + 1}`] : []));
        expect(products.map(({ slug }) => slug)).toEqual(["good-0", ...kept]);
        expect(complete).toBe(true);
        for (const { line, message } of refused) {
          expect(all[line - 3]).not.toBeNull();
          expect(message).toMatch(/\.$/);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("no text breaks a reader: it ends, or says that the file is of another format", async () => {
    const formats = fc.constantFrom("shopify", "woocommerce", "google", "jsonl" as const);
    const text = fc.string({ unit: fc.constantFrom(...'<>/&;,"\n\r\t{}[]a1.g:!-') });
    await fc.assert(
      fc.asyncProperty(formats, text, fc.boolean(), async (format, tail, isHeaded) => {
        const heads = {
          shopify: `${old.join(",")}\n`,
          woocommerce: "Type,Name,Regular price\n",
          google: "<rss><channel><item>",
          jsonl: "",
        };
        const whole = isHeaded ? heads[format] + tail : tail;
        const ended = await readFile(format, Buffer.from(whole)).catch((error) => error.code);
        if (typeof ended === "string") expect(ended).toBe("parameter_invalid");
      }),
      { numRuns: 500 },
    );
  });

  test("rows of one handle that do not follow each other are refused", async () => {
    const text = csv(old, [
      cells(old, "a", "A", "", "", "1.00"),
      cells(old, "b", "B", "", "", "2.00"),
      cells(old, "a", "", "", "", "3.00"),
    ]);
    const { products, refused } = await readFile("shopify", text);
    expect(products.map(({ slug }) => slug)).toEqual(["a", "b"]);
    expect(refused).toEqual([expect.objectContaining({ line: 4, column: "Handle" })]);
  });

  test("a row that the file ends in the middle of is refused, and a short one of a hand-written table is not", async () => {
    const rows = Array.from({ length: 12 }, (_, at) => `p${at},25.00,Product ${at}`);
    const whole = ["Handle,Variant Price,Title", ...rows].join("\r\n");
    const cut = whole.slice(0, whole.lastIndexOf("25.00") + 1);
    const { products, refused } = await readFile("shopify", cut);
    expect(products.map(({ slug }) => slug)).toEqual(rows.slice(0, 11).map((_, at) => `p${at}`));
    const message = "The row has 2 cells, and the header has 3: the file ends in the middle of it.";
    expect(refused).toEqual([{ line: 13, column: null, message }]);

    const few = ["Handle,Variant Price,Title", "a,25.00,A", "a,2"].join("\r\n");
    const oneShort = cut.replace("p3,25.00,Product 3", "p2,26.00");
    for (const text of [whole, `${cut}\r\n`, few, oneShort])
      expect((await readFile("shopify", text)).refused.map((row) => row.message)).not.toContain(
        message,
      );
  });

  test("a header with the same column twice is refused", async () => {
    await expect(readFile("shopify", "Handle,URL handle,Title,Price\n")).rejects.toThrow(/twice/);
  });
});

test("wrong options are refused by their names", async () => {
  const first = async (input: object) =>
    readProducts({ format: "jsonl", open: () => "", currency: "BRL", ...input }).next();
  await expect(first({ format: "xls" })).rejects.toThrow(/format/);
  await expect(first({ currency: "reais" })).rejects.toThrow(/currency/);
  await expect(first({ decimal: "'" })).rejects.toThrow(/decimal/);
  await expect(first({ open: "file.csv" })).rejects.toThrow(/open/);
});

test("a line of JSON is the record itself, and a wrong one is refused by its field", async () => {
  const pot = { slug: "pot", name: "Pot", price: 500, stock: 3 };
  const lines = [
    pot,
    { sku: "Cup 1", name: "Cup", price: 1 },
    { ...pot, slug: "b", price: 1.5 },
    { ...pot, slug: "c", colour: "red" },
    { ...pot, slug: "d", currency: "USD" },
    { name: "No slug", price: 1 },
    pot,
  ].map((line) => JSON.stringify(line));
  const { products, refused } = await readFile("jsonl", [...lines, "{", "[]"].join("\n"));
  expect(products).toEqual([
    { ...pot, sku: null, currency: "BRL" },
    { slug: "cup-1", sku: "Cup 1", name: "Cup", price: 1, currency: "BRL" },
  ]);
  expect(refused.map(({ line, column }) => [line, column])).toEqual([
    [3, "price"],
    [4, "colour"],
    [5, "currency"],
    [6, "slug"],
    [7, null],
    [8, null],
    [9, null],
  ]);
});

test("categories beyond the 1,000 of a store are left out and told", async () => {
  const lines = Array.from({ length: 1_002 }, (_, i) => {
    const slug = `c${i % 1_001}`;
    const categories = [{ slug, name: slug }];
    return JSON.stringify({ slug: `p${i}`, name: "Pot", price: 100, categories });
  });
  const { products, categories, notes } = await readFile("jsonl", lines.join("\n"));
  expect([products.length, categories.length]).toEqual([1_002, 1_000]);
  expect(notes).toEqual([
    {
      line: 1_001,
      column: null,
      message: "The category c1000 is left out: a store has at most 1,000 categories.",
    },
  ]);
  expect(products.at(-1)?.categories).toEqual([{ slug: "c0", name: "c0" }]);
});

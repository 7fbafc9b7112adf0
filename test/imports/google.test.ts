import { expect, test } from "vitest";
import { readFile } from "./read.ts";

const feed = (items: string): string => `<?xml version="1.0"?>
<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">
<channel><title>A shop</title><!-- <item> -->
${items}</channel></rss>`;
const item = (inside: string): string => `<item>
<g:id>MUG 1</g:id><title>Mug</title><g:price>10.00 BRL</g:price>${inside}
</item>
`;
const read = async (text: string) => readFile("google", Buffer.from(text));

test("an item gives a product, and nothing that lies deeper in it is its own", async () => {
  const { products, refused } = await read(
    feed(
      item(`<description><![CDATA[<p>5 &lt; 6 & more</p>]]></description>
<g:shipping><g:price>99.00 BRL</g:price></g:shipping>
<g:sale_price>8.00 BRL</g:sale_price><g:availability>in stock</g:availability>
<g:image_link>https://shop.example/a.jpg?x=1&amp;y=2</g:image_link>
<g:additional_image_link>https://shop.example/b.jpg</g:additional_image_link>
<g:additional_image_link>https://shop.example/c.jpg</g:additional_image_link>
<g:product_type>Home &gt; Kitchen</g:product_type><g:custom a="&gt;" b='>'/>`),
    ),
  );
  expect(refused).toEqual([]);
  expect(products).toEqual([
    {
      slug: "mug-1",
      sku: "MUG 1",
      name: "Mug",
      description: "5 < 6 & more",
      images: ["?x=1&y=2", "", ""].map(
        (query, index) => `https://shop.example/${"abc"[index]}.jpg${query}`,
      ),
      price: 800,
      compare_at_price: 1000,
      currency: "BRL",
      categories: [
        { slug: "home", name: "Home" },
        { slug: "home-kitchen", name: "Kitchen" },
      ],
      active: true,
      stock: null,
    },
  ]);
});

test("an Atom feed is read by its entries", async () => {
  const text = `<feed xmlns:g="x"><entry><g:id>a</g:id><g:title>A</g:title><g:price>1.00 BRL</g:price></entry></feed>`;
  expect((await read(text)).products.map(({ slug }) => slug)).toEqual(["a"]);
});

test("a table of tabs is read as the XML is", async () => {
  const text =
    "id\ttitle\tprice\tavailability\timage link\tadditional image link\tadditional image link\n" +
    "A\tMug\t10.00 BRL\tout_of_stock\thttps://s.example/a\thttps://s.example/b,https://s.example/c\t" +
    "https://s.example/d\n";
  const { products } = await read(text);
  expect(products).toEqual([
    expect.objectContaining({
      slug: "a",
      price: 1000,
      stock: 0,
      images: ["a", "b", "c", "d"].map((name) => `https://s.example/${name}`),
    }),
  ]);
});

test.each([
  ["a price in another currency", "<g:price>1 USD</g:price>", "price"],
  [
    "an availability of no meaning",
    "<g:price>1 BRL</g:price><g:availability>soon</g:availability>",
    "availability",
  ],
  ["no price", "", "price"],
])("an item with %s is refused by its line and column", async (_why, inside, column) => {
  const bad = `<item><g:id>b</g:id><g:title>B</g:title>${inside}</item>\n`;
  const { products, refused } = await read(feed(bad + item("")));
  expect(products.map(({ slug }) => slug)).toEqual(["mug-1"]);
  expect(refused).toEqual([expect.objectContaining({ line: 4, column })]);
});

const billion = `<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss>`;
test.each([
  ["declares entities", billion, /document type/],
  ["breaks off", feed(item("")).slice(0, -20), /breaks off/],
  ["closes what is not open", feed(`${item("")}</g:id>`), /closes nothing/],
  ["is nested without end", `<rss>${"<a>".repeat(100)}`, /nested/],
])("a feed that %s is not read any further", async (_why, text, message) => {
  const { refused, complete } = await read(text);
  expect(complete).toBe(false);
  expect(refused).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
});

test("an entity that XML does not know stays as it stands", async () => {
  const { products } = await read(feed(item("<g:product_type>A &file; B</g:product_type>")));
  expect(products[0]?.categories).toEqual([{ slug: "a-file-b", name: "A &file; B" }]);
});

test("a feed made to be slow is read at once", async () => {
  const started = performance.now();
  const many = `${"<a/>".repeat(30_000)}<description>&lt;script>${"&lt;/script".repeat(20_000)}</description>`;
  const { products } = await read(feed(item(many)));
  expect(products).toMatchObject([{ slug: "mug-1", description: null }]);
  // Each element and each end of a script took all before it anew, which was minutes.
  expect(performance.now() - started).toBeLessThan(5_000);
});

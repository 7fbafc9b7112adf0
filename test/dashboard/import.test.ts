import { beforeEach, describe, expect, test } from "vitest";
import type { Storage } from "vitrine";
import {
  createDashboardShop,
  type DashboardShop,
  everything,
  filledIn,
  formOf,
  type PageReply,
} from "../support/dashboard-shop.ts";
import { storages } from "../support/storages.ts";

const textIn = ({ body }: Pick<PageReply, "body">): string =>
  (body ?? "").replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

const shopify = [
  "Handle,Title,Variant Price,Variant Inventory Qty",
  "mug,Mug,19.99,5",
  "cup,Cup,much,1",
  "pot,,9.00,1",
  "pan,Pan,30.00,",
].join("\n");

describe.each(storages)("an import on the dashboard on %s", (_name, open) => {
  let shop: DashboardShop;
  let address: string;
  let visitor: ReturnType<DashboardShop["visitor"]>;
  /** The database goes down after so many writes. */
  let stepsLeft: number;
  beforeEach(async () => {
    stepsLeft = Number.POSITIVE_INFINITY;
    const storage = await open();
    const stepProducts: Storage["records"]["stepProducts"] = async (...args) => {
      stepsLeft -= 1;
      if (stepsLeft < 0) throw new Error("The database is down.");
      return storage.records.stepProducts(...args);
    };
    const records: Storage["records"] = { step: storage.records.step, stepProducts };
    shop = await createDashboardShop({ storage: { ...storage, records } });
    address = `/dashboard/${shop.a.id}/test/products/import`;
    visitor = shop.visitor();
  });

  /** Sends a chosen file, as a browser without scripts does. */
  async function preview(
    text: string | Uint8Array<ArrayBuffer>,
    changes: Readonly<Record<string, string>> = {},
    language = "en",
  ): Promise<PageReply> {
    const fields = formOf(await visitor.send(address), "preview");
    const form = new FormData();
    for (const [name, value] of filledIn(fields, changes))
      if (name !== "upload") form.append(name, value);
    form.append("upload", new File([text], "products.csv"));
    const cookie = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
    const { headers } = new Request("https://x.invalid", { method: "POST", body: form });
    const request = new Request("https://x.invalid", { method: "POST", body: form });
    const given = new Map([
      ["content-type", request.headers.get("content-type") ?? headers.get("content-type") ?? ""],
      ["cookie", cookie],
      ["sec-fetch-site", "same-origin"],
      ["accept-language", language],
    ]);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const reply = await shop.dashboard.serve({
      method: "POST",
      target: address,
      native: everything,
      header: (name) => given.get(name),
      body: async (limit) => (bytes.length > limit ? null : bytes),
    });
    return { status: 0, headers: {}, ...reply, body: String(reply?.body) };
  }

  const send = (page: PageReply, button: string, changes: Readonly<Record<string, string>> = {}) =>
    visitor.send(address, { form: filledIn(formOf(page, button), { ...changes, do: button }) });
  const slugs = async () =>
    (await shop.owner.products.list(shop.a.id, { limit: 100 })).data
      .map(({ slug, price }) => `${slug} ${price}`)
      .sort();
  const entries = async () =>
    (await shop.owner.audit.list({ store_id: shop.a.id })).data.filter(
      ({ action }) => action === "products.import",
    );

  test("tells which products become drafts, because the file sells them in another form", async () => {
    const head = "Handle,Title,Option1 Name,Option1 Value,Variant Price";
    await send(await preview(`${head}\nhat,Hat,,,10.00`), "apply");
    const shown = await preview(`${head}\nhat,Hat,Size,S,10.00\nhat,,,L,12.00`);
    expect(textIn(shown)).toMatch(/Products that become drafts 1 .*hat Becomes a draft/);
    expect(textIn(await send(shown, "apply"))).toContain("Products that become drafts 1 ");
    const { data } = await shop.owner.products.list(shop.a.id, { search: "hat", active: true });
    expect(data.map(({ slug }) => slug).sort()).toEqual(["hat-l", "hat-s"]);
  });

  test("shows what it does, does it, gives the refused rows, and a second run changes nothing", async () => {
    await shop.owner.products.create(shop.a.id, {
      slug: "mug",
      name: "Mug",
      price: 1_000,
      currency: "BRL",
      stock: 6,
    });
    const before = await slugs();
    const shown = await preview(shopify);
    expect(shown.status).toBe(200);
    expect(textIn(shown)).toContain("New products 1 Changed products 1");
    expect(textIn(shown)).toContain("Refused rows 2");
    expect(textIn(shown)).toContain("mug 2 Changes the price, the stock");
    expect(textIn(shown)).toMatch(/3 Variant Price &quot;much&quot; is not an amount of BRL/);
    expect(textIn(shown)).toMatch(/4 Title The name is missing/);
    expect([await slugs(), await entries()]).toEqual([before, []]);

    const file = await send(shown, "refused");
    expect(file.headers["content-disposition"]).toMatch(/-refused-products-.+\.csv"$/);
    expect(file.body?.replace("\uFEFF", "").split("\r\n").slice(0, 3)).toEqual([
      "Handle,Title,Variant Price,Variant Inventory Qty,refused_column,refused_reason",
      'cup,Cup,much,1,Variant Price,"""much"" is not an amount of BRL."',
      "pot,,9.00,1,Title,The name is missing.",
    ]);

    const done = await send(shown, "apply");
    expect(done.status).toBe(200);
    expect(textIn(done)).toContain("Rows: 4 of 4");
    expect(textIn(done)).toContain("2 products were imported.");
    expect(await slugs()).toEqual(expect.arrayContaining(["mug 1999", "pan 3000"]));
    const [entry, another] = await entries();
    expect([entry?.actor, entry?.after, another]).toMatchObject(["ana", { updated: 1 }, undefined]);
    expect((await send(shown, "apply")).status).toBe(409);

    const second = await preview(shopify);
    expect(textIn(second)).toContain("Nothing would change.");
    expect(second.body).not.toContain('value="apply"');
    const mended = (file.body ?? "").replace("much", "7.00").replace("pot,,", "pot,Pot,");
    expect(textIn(await send(await preview(mended), "apply"))).toContain(
      "2 products were imported.",
    );
    expect(await slugs()).toEqual(expect.arrayContaining(["cup 700", "pot 900"]));
  });

  test("is not done where the store has changed behind its preview", async () => {
    const shown = await preview(shopify);
    await shop.owner.products.create(shop.a.id, {
      slug: "pan",
      name: "Old pan",
      price: 1,
      currency: "BRL",
    });
    const refused = await send(shown, "apply");
    expect(refused.status).toBe(409);
    expect(textIn(refused)).toContain("pan 5 Changes the name, the price");
    expect(await entries()).toEqual([]);
    expect((await send(refused, "apply")).status).toBe(200);
    expect(await slugs()).toEqual(expect.arrayContaining(["pan 3000"]));
  });

  test("reads the list's own CSV as Excel saves it, and names the line of a wrong row", async () => {
    const csv = await visitor.send(address.replace("/import", "/export.csv"));
    expect(textIn(await preview(csv.body ?? ""))).toContain("Nothing would change.");
    const [{ id = "" } = {}] = (await shop.owner.products.list(shop.a.id)).data;
    const rows = ["sep=;", "id;name;price", `${id};"two\r\nlines";5`, "", `${id};x;cheap`];
    const shown = await preview(rows.join("\r\n"));
    expect(textIn(shown)).toContain("This dashboard’s export");
    expect(textIn(shown)).toContain("Changes the name, the price");
    expect(textIn(shown)).toMatch(/6 price price must be a number/);
    const file = await send(shown, "refused");
    expect(file.body).toContain(`${id};x;cheap;price;price must be a number.\r\n`);
    for (const price of ["20.00", "19.90", "1990.000"])
      expect(textIn(await preview(`id,price\n${id},${price}`))).toMatch(
        /New products 0 .*2 price price must be a whole number/,
      );
    expect(textIn(await preview(`id,price\n${id},1990.0`))).toContain("Changes the price");
    const german = new Uint8Array(Buffer.from(`id,name\n${id},Caf\xe9`, "latin1"));
    await send(await preview(german), "apply");
    expect((await shop.owner.products.retrieve(shop.a.id, id)).name).toBe("Café");
  });

  test("reads JSON lines of an export and of a feed, and gives refused lines back", async () => {
    const { body } = await shop.owner.export("products", { store_id: shop.a.id, format: "jsonl" });
    let lines = "";
    for await (const part of body) lines += new TextDecoder().decode(part);
    expect(textIn(await preview(lines))).toContain("Nothing would change.");
    const own = await shop.storefront.handler(
      new Request("https://api.example.com/v1/feeds/products.jsonl", {
        headers: { authorization: `Bearer ${shop.a.live.pub}` },
      }),
    );
    expect(textIn(await preview(await own.text()))).toMatch(/Nothing would change.*Refused rows 0/);

    const feed = [
      JSON.stringify({ slug: "tea", name: "Tea", price: 500 }),
      JSON.stringify({ slug: "bad", name: "Bad", price: -1 }),
      "nothing",
    ];
    const shown = await preview(feed.join("\n"));
    expect(textIn(shown)).toContain("Refused rows 2");
    const [first = "", second] = ((await send(shown, "refused")).body ?? "").split("\n");
    expect(JSON.parse(first)).toMatchObject({ slug: "bad", refused_column: "price" });
    expect(second).toBe("nothing");
    const mended = JSON.stringify({ ...JSON.parse(first), price: 1 });
    expect(textIn(await preview(mended))).toContain("New products 1");
  });

  test("says in Portuguese what is wrong with a row, a head and a file", async () => {
    const shown = await preview(shopify, {}, "pt-BR");
    expect(textIn(shown)).toContain("Falta o nome.");
    expect(textIn(shown)).toContain("&quot;much&quot; não é um valor em BRL.");
    const said = async (text: string, changes = {}) => {
      const reply = await preview(text, changes, "pt-BR");
      return [reply.status, /role="alert">([^<]*)/.exec(reply.body ?? "")?.[1]];
    };
    expect(await said("id,naem\n1,x", { format: "own" })).toEqual([
      422,
      "O arquivo não pode ser lido: ele tem a coluna &quot;naem&quot;, que não é de um produto: " +
        "a mais parecida é name.",
    ]);
    expect(await said("nome;preço;estoque\nCaneca;1990;3")).toEqual([
      422,
      expect.stringMatching(/em inglês.*: slug ou id em todo arquivo, e name, price e currency/),
    ]);
    expect(await said("nome;preço;estoque\nCaneca;1990;3", { format: "own" })).toEqual([
      422,
      expect.stringContaining("a mais parecida é name."),
    ]);
    expect(await said("slug,estoque\nmug,3", { format: "own" })).toEqual([
      422,
      expect.stringMatching(/&quot;estoque&quot;.*: as colunas são id, .*name, .*price, .*stock/),
    ]);
    expect(await said("a,b\n1,2", { format: "shopify" })).toEqual([
      422,
      expect.stringContaining("ele deve ter as colunas"),
    ]);
    expect(await said("a,b\n1,2")).toEqual([422, expect.stringContaining("não diz o formato")]);
    expect(await said("")).toEqual([422, "Escolha um arquivo."]);
    expect(await said(shopify, { currency: "XX" })).toEqual([
      422,
      expect.stringContaining("três letras"),
    ]);
    const long = Array.from({ length: 10_001 }, (_, at) => `p${at},P,-1`);
    expect(await said(["Handle,Title,Variant Price", ...long].join("\n"))).toEqual([
      422,
      "O arquivo tem linhas demais.",
    ]);
    expect(await said("x".repeat(4 * 1_048_576 + 1))).toEqual([422, "O arquivo é grande demais."]);
  });

  test("tells how far it came when the storage breaks, and the same file does the rest", async () => {
    const rows = Array.from({ length: 450 }, (_, at) => `p${at},P ${at},1.00`);
    const file = ["Handle,Title,Variant Price", ...rows].join("\n");
    const shown = await preview(file);
    stepsLeft = 4; // Three of the plan that is made again, and one of the import.
    const broken = await send(shown, "apply");
    stepsLeft = Number.POSITIVE_INFINITY;
    expect(textIn(broken)).toContain("The import stopped. Rows done: 200.");
    expect(shop.errors).toHaveLength(1);
    const rest = await preview(file);
    expect(textIn(rest)).toContain("New products 250 Changed products 0 Unchanged products 200");
    await send(rest, "apply");
    expect(textIn(await preview(file))).toContain("Nothing would change.");
  });
});

test("an import takes no file that was packed to be larger than it may be", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const address = `/dashboard/${shop.a.id}/test/products/import`;
  const stream = new Blob(["x".repeat(30_000_000)])
    .stream()
    .pipeThrough(new CompressionStream("gzip"));
  const bomb = Buffer.from(await new Response(stream).arrayBuffer()).toString("base64url");
  for (const packed of [bomb, "AAAA", "!"]) {
    const form = filledIn(formOf(await visitor.send(address), "preview"), { packed });
    expect((await visitor.send(address, { form })).status).toBe(422);
  }
});

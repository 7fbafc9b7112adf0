import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openSqlite } from "../support/open-sqlite.ts";
import { type Json, newProject, type Project, sqliteHost } from "./project.ts";

const fixture = (name: string): string =>
  readFileSync(new URL(`../fixtures/imports/${name}`, import.meta.url), "utf8");

let project: Project;
let store: string;
beforeEach(async () => {
  project = await newProject();
  project.write("vitrine.config.mjs", sqliteHost);
  await project.run("migrate --yes");
  store = (await project.json("stores create name=Loja slug=loja currency=BRL --yes")).id;
});

/** Runs the command on this store. Its answer is parsed, whatever its exit code is. */
async function load(words: string, stdin?: string): Promise<{ code: number | null; told: Json }> {
  const options =
    stdin === undefined ? {} : { stdin, env: { TMPDIR: join(project.folder, "tmp") } };
  const { code, out, err } = await project.run(`import ${words} --store ${store} --json`, options);
  return { code, told: out === "" ? err : JSON.parse(out) };
}

interface Stored {
  readonly all: number;
  readonly slugs: number;
}

/** Counts the products of the file from another process, as a person who looks would. */
function stored(): Stored {
  const database = openSqlite(join(project.folder, "shop.sqlite"));
  try {
    const text = "select count(*) as n, count(distinct slug) as slugs from products";
    const { n, slugs } = database.prepare(text).get() as { n: number; slugs: number };
    return { all: n, slugs };
  } finally {
    database.close();
  }
}

const counts = (created: number, updated: number, unchanged: number, refused: number): Json =>
  expect.objectContaining({ created, updated, unchanged, refused });

describe("import", () => {
  test("an export of Shopify is planned, imported as planned, and unchanged the next time", async () => {
    project.write("products.csv", fixture("shopify.csv"));
    const planned = await load("products.csv --dry-run");
    expect(planned).toMatchObject({ code: 1, told: { format: "shopify", imported: null } });
    expect(stored().all).toBe(0);

    const first = await load("products.csv --rejects refused.csv");
    expect(first).toMatchObject({ code: 1, told: { as_planned: true, plan: planned.told.plan } });
    expect(first.told.imported).toEqual(counts(7, 0, 0, 4));
    expect(first.told.refused).toEqual([
      { line: 8, column: "Variant Price", message: "The price is missing." },
      { line: 9, column: "Variant Price", message: "The amount is in USD, and not in BRL." },
      { line: 10, column: "Handle", message: "The rows of a handle must follow each other." },
      expect.objectContaining({ line: 11, column: "Variant Inventory Qty" }),
    ]);
    expect(first.told.notes).toEqual([expect.objectContaining({ line: 12, column: "Image Src" })]);
    const rejects = readFileSync(join(project.folder, "refused.csv"), "utf8").split("\r\n");
    expect(rejects[0]).toBe("line,column,slug,what,reason");
    expect(rejects[1]).toBe("8,Variant Price,no-price,refused,The price is missing.");
    expect(rejects).toHaveLength(7);

    const again = await load("products.csv");
    expect(again.told.imported).toEqual(counts(0, 0, 7, 4));
    expect(stored()).toEqual({ all: 7, slugs: 7 });
  });

  test("an export of WooCommerce is imported, each wrong row with its reason", async () => {
    project.write("products.csv", fixture("woocommerce.csv"));
    const { told } = await load("products.csv");
    expect(told).toMatchObject({ format: "woocommerce", as_planned: true });
    expect(told.imported).toEqual(counts(5, 0, 0, 5));
    expect(told.refused.map(({ line, column }: Json) => [line, column])).toEqual([
      [7, "Type"],
      [8, "Type"],
      [9, "Parent"],
      [10, "Regular price"],
      [12, "Type"],
    ]);
    expect((await load("products.csv")).told.imported).toEqual(counts(0, 0, 5, 5));
  });

  test("vitrine's own columns find products by id, with a plan too", async () => {
    project.write("products.csv", fixture("woocommerce.csv"));
    await load("products.csv");
    const { data } = await project.json(`products list --store ${store}`);
    const [one, two] = data;
    const rows = [`${one.id},7777`, `${two.id},${two.price}`, "prod_none,abc"];
    project.write("prices.csv", ["id,price", ...rows].join("\n"));

    const planned = await load("prices.csv --dry-run");
    expect(planned.told).toMatchObject({ format: "csv", plan: counts(0, 1, 1, 1) });
    expect((await project.json(`products show ${one.id} --store ${store}`)).price).toBe(one.price);
    const done = await load("prices.csv");
    expect(done.told).toMatchObject({ as_planned: true, imported: counts(0, 1, 1, 1) });
    expect(done.told.refused).toEqual([
      { line: 4, column: "price", message: "price must be a number." },
    ]);
    expect((await project.json(`products show ${one.id} --store ${store}`)).price).toBe(7777);
    expect((await load("prices.csv --missing deactivate")).code).toBe(2);
  });

  test("vitrine's own files are read as exported, and as Excel saves them", async () => {
    const row = { slug: "cha", name: "Chá", price: 100, currency: "BRL" };
    const recurring = { interval: "month", interval_count: 1 };
    const exported = { id: "prod_cha", ...row, category_ids: [], recurring, blocked: true };
    project.write("products.jsonl", `${JSON.stringify(exported)}\n`);
    const made = await load("products.jsonl");
    expect(made.told).toMatchObject({ format: "jsonl", imported: counts(1, 0, 0, 0) });
    const show = () => project.json(`products show prod_cha --store ${store}`);
    expect(await show()).toMatchObject({ recurring, blocked: true });
    expect((await load("products.jsonl --from jsonl")).told.imported).toEqual(counts(0, 0, 1, 0));
    expect((await load("products.jsonl --missing deactivate --yes")).code).toBe(2);

    const table = "id;slug;name;price;currency\r\nprod_cha;cha;Chá preto;200;BRL\r\n";
    writeFileSync(join(project.folder, "latin.csv"), Buffer.from(table, "latin1"));
    expect((await load("latin.csv")).told.imported).toEqual(counts(0, 1, 0, 0));
    writeFileSync(join(project.folder, "wide.csv"), Buffer.from(`\uFEFF${table}`, "utf16le"));
    expect((await load("wide.csv")).told.imported).toEqual(counts(0, 0, 1, 0));
    expect(await show()).toMatchObject({ name: "Chá preto", price: 200, recurring });
  });

  test("the file of refused rows names the product of each, whatever the format", async () => {
    const refusedSlugs = async (words: string): Promise<readonly (string | undefined)[]> => {
      await load(`${words} --rejects refused.csv`);
      const [, ...lines] = readFileSync(join(project.folder, "refused.csv"), "utf8").split("\r\n");
      return lines.filter((line) => line !== "").map((line) => line.split(",")[2]);
    };
    project.write("cup.csv", "slug,name,price,currency\ncup,Cup,100,BRL");
    await load("cup.csv");
    const [cup] = (await project.json(`products list --store ${store}`)).data;

    const own = ["jar,,1,BRL", "pot,Pot,abc,BRL", "pan,Pan,-1,BRL", "lid,Lid,1"];
    project.write("own.csv", ["slug,name,price,currency", ...own].join("\n"));
    expect(await refusedSlugs("own.csv")).toEqual(["jar", "pot", "pan", ""]);
    project.write("ids.csv", `id,price\n${cup.id},-1\nprod_none,-1`);
    expect(await refusedSlugs("ids.csv")).toEqual(["cup", ""]);

    project.write("shopify.csv", fixture("shopify.csv"));
    expect(await refusedSlugs("shopify.csv")).toEqual([
      "no-price",
      "dollars",
      "varsity-top",
      "half-pieces",
      "bad-picture",
    ]);
    project.write("woocommerce.csv", fixture("woocommerce.csv"));
    expect(await refusedSlugs("woocommerce.csv")).toEqual([
      "set",
      "pennant",
      "lost-s",
      "free",
      "empty",
    ]);
    const feed = ["mug,Mug,,1 BRL", "bag,,,1 BRL"];
    project.write("google.csv", ["id,title,description,price", ...feed].join("\n"));
    expect(await refusedSlugs("google.csv")).toEqual(["bag"]);
    const lines = [{ slug: "hat", name: "Hat", price: -1 }, { sku: "S 1", price: 1 }, { slug: 7 }];
    project.write("lines.jsonl", lines.map((line) => JSON.stringify(line)).join("\n"));
    expect(await refusedSlugs("lines.jsonl")).toEqual(["hat", "s-1", ""]);
  });

  test("stdin is read as a file is, and nothing of it is left on the disk", async () => {
    mkdirSync(join(project.folder, "tmp"));
    const { told } = await load("-", fixture("woocommerce.csv"));
    expect(told).toMatchObject({ format: "woocommerce", as_planned: true });
    expect(told.imported).toEqual(counts(5, 0, 0, 5));
    expect(readdirSync(join(project.folder, "tmp"))).toEqual([]);
  });

  test("what the file lacks becomes a draft after a yes, and not when a row was refused", async () => {
    const line = (slug: string, price = 100) => JSON.stringify({ slug, name: slug, price });
    project.write("all.jsonl", [line("a"), line("b"), line("c")].join("\n"));
    project.write("less.jsonl", [line("a", 200), line("b")].join("\n"));
    project.write("bad.jsonl", [line("a", 200), line("b", -1)].join("\n"));
    expect((await load("all.jsonl")).code).toBe(0);

    const asked = await load("less.jsonl --missing deactivate");
    expect([asked.code, asked.told]).toEqual([3, expect.stringContaining("lacks them: 1.")]);
    expect((await load("less.jsonl --dry-run")).told.plan).toEqual(counts(0, 1, 1, 0));
    const kept = await load("bad.jsonl --missing deactivate --yes --dry-run");
    expect(kept).toMatchObject({ code: 1, told: { plan: { missing_kept: "refused" } } });
    const done = await load("less.jsonl --missing deactivate --yes");
    expect(done).toMatchObject({ code: 0, told: { as_planned: true } });
    expect(done.told.imported).toMatchObject({ updated: 1, unchanged: 1, deactivated: 1 });
    const { data } = await project.json(`products list --store ${store}`);
    expect(data.map(({ slug, active }: Json) => [slug, active]).sort()).toEqual([
      ["a", true],
      ["b", true],
      ["c", false],
    ]);
  });

  test("live mode shows the plan and is changed after --yes alone", async () => {
    await project.run(`keys create kind=secret --live --yes --secret-to key.txt --store ${store}`);
    project.write("products.csv", fixture("woocommerce.csv"));
    const { code, out, err } = await project.run(`import products.csv --store ${store}`);
    expect([code, out, err]).toEqual([
      3,
      expect.stringMatching(/^The plan \(woocommerce\):\ncreated +5\n/),
      expect.stringContaining("This is live mode."),
    ]);
    expect(out).toContain("  line 9, Parent: No variable product of the file is this parent.\n");
    expect(stored().all).toBe(0);
    expect((await load("products.csv --yes")).told.imported).toEqual(counts(5, 0, 0, 5));
  });

  test("a file that tells no format, or is none, ends with 2 and a sentence", async () => {
    project.write("people.csv", "first name,last name\nAna,Sá\n");
    const formats = "shopify, woocommerce, google, jsonl, csv";
    expect(await load("people.csv")).toEqual({ code: 2, told: expect.stringContaining(formats) });
    project.write("nome.csv", "nome;preço;estoque\nCaneca;1990;3\n");
    const named = /in English, .*: slug or id, and name, price and currency for new products\./;
    expect(await load("nome.csv")).toEqual({ code: 2, told: expect.stringMatching(named) });
    project.write("nothing.csv", "");
    expect(await load("nothing.csv")).toEqual({
      code: 2,
      told: expect.stringContaining("The file is empty"),
    });
    expect((await load("absent.csv")).code).toBe(2);
    expect((await load(".")).code).toBe(2);
    expect((await load("people.csv --from excel")).code).toBe(2);
    const wrong = await load("people.csv --from shopify");
    expect(wrong).toEqual({ code: 2, told: expect.stringContaining("Handle and Variant Price") });
    const price = await load("people.csv --from csv --currency BRL");
    expect([price.code, price.told]).toEqual([2, expect.stringContaining("--currency")]);
  });

  test("the refused rows are never written over the file that is imported", async () => {
    project.write("products.csv", fixture("shopify.csv"));
    const { code, told } = await load("products.csv --rejects ./products.csv");
    expect([code, told]).toEqual([2, expect.stringContaining("--rejects")]);
    expect(readFileSync(join(project.folder, "products.csv"), "utf8")).toBe(fixture("shopify.csv"));
    expect(statSync(join(project.folder, "products.csv")).size).toBeGreaterThan(0);
  });
});

const rows = 5_000;

/** Writes a table in Shopify's columns with many products. */
const writeLarge = (): void =>
  project.write(
    "large.csv",
    [
      "Handle,Title,Body (HTML),Variant SKU,Variant Price",
      ...Array.from(
        { length: rows },
        (_, at) => `p-${at},Product ${at},<p>Of ${at}</p>,S${at},9.90`,
      ),
    ].join("\n"),
  );

/** Starts the import, and ends it by a signal once its first chunk is stored. */
async function importUntil(signal: NodeJS.Signals) {
  const running = project.start(`import large.csv --store ${store} --yes`);
  while (stored().all === 0) {
    expect(running.process.exitCode).toBe(null);
    await new Promise((done) => setTimeout(done, 5));
  }
  running.process.kill(signal);
  return running.ended;
}

/** The next run stores what is left, and the one after it changes nothing. */
async function goOn(): Promise<void> {
  const before = stored().all;
  expect(before % 200).toBe(0);
  expect(before).toBeLessThan(rows);
  const next = await load("large.csv");
  expect(next).toMatchObject({ code: 0, told: { as_planned: true } });
  expect(next.told.imported).toEqual(counts(rows - before, 0, before, 0));
  expect((await load("large.csv")).told.imported).toEqual(counts(0, 0, rows, 0));
  expect(stored()).toEqual({ all: rows, slugs: rows });
}

test("a SIGKILL in the middle loses and doubles no product when it is run again", async () => {
  writeLarge();
  expect((await importUntil("SIGKILL")).code).toBe(null);
  await goOn();
});

test("Ctrl-C ends it after the chunk, and says how to go on", async () => {
  writeLarge();
  const { code, err } = await importUntil("SIGINT");
  expect(code).toBe(130);
  expect(err).toMatch(/Stopped after \d+00 of 5000 rows.*run the same command again/);
  await goOn();
});

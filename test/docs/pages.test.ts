import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { openApiDocument } from "vitrine/openapi";
import { contrast } from "../../src/contract/brand.ts";
import { publicErrors } from "../../src/contract/errors.ts";
import { remedies } from "../../src/contract/openapi/error-remedies.ts";
import { grounds } from "../../src/contract/tokens.ts";
import { changes } from "../../src/docs/changes.ts";
import { subjectsOf } from "../../src/docs/reference/subjects.ts";
import { advice } from "../../src/docs/texts/errors-pt.ts";
import { docsSite, placesOf } from "../support/docs-site.ts";
import { createShop } from "../support/shop.ts";

const open = async (options: { readonly basePath?: string; readonly checkoutPage?: object } = {}) =>
  docsSite((await createShop(memoryStorage(), options)).storefront, options.basePath);
const document = openApiDocument();

describe("the pages", () => {
  test("are one a subject: every tag of the API has its page, with its operations and no others", async () => {
    const site = await open();
    const expected = subjectsOf(document);
    expect(expected.length).toBe(document.tags.length);
    for (const { slug, operations } of expected) {
      const page = await site.page(`/docs/${slug}`);
      expect(placesOf(page.body)).toEqual(operations.map(({ operation }) => operation.operationId));
    }
  });

  test("load one style sheet and one script, and nothing else", async () => {
    const site = await open();
    for (const path of await site.paths()) {
      const { body } = await site.page(path);
      expect(body.match(/<(?:link|script|img|iframe|style)\b/g), path).toEqual([
        "<link",
        "<script",
      ]);
      expect(body, path).not.toMatch(/ style=| on[a-z]+=|<script>/);
    }
  });

  test("are reached from each other below a path of the host's own", async () => {
    const site = await open({ basePath: "/shop/v1" });
    const paths = await site.paths();
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) expect((await site.page(path)).status, path).toBe(200);
  });

  test("are no path with a slash at the end, below a page or of an object's own names", async () => {
    const site = await open();
    for (const path of ["/docs/", "/docs/catalog/", "/docs/errors/more", "/docs/__proto__"])
      expect((await site.page(path)).status, path).toBe(404);
  });
});

describe("an old link", () => {
  test("finds its anchor on the first page, as a link to the text", async () => {
    const site = await open();
    const first = (await site.page("/docs")).body;
    const ids = [
      ...Object.values(document.paths).flatMap((item) =>
        Object.values(item).map(({ operationId }) => operationId),
      ),
      ...Object.keys(document.webhooks),
      ...Object.keys(document.components["schemas"] ?? {}).map((name) => `schema-${name}`),
    ];
    for (const id of ids) {
      const link = /^[^"]*/.exec(first.split(`<li id="${id}" data-moved><a href="`)[1] ?? "")?.[0];
      const [path = "", anchor] = (link ?? "").split("#");
      expect(anchor, id).toBe(id);
      expect((await site.page(`/${path}`)).body, id).toContain(` id="${id}"`);
    }
    const pages = ["quick-start", "first-purchase", "first-webhook", "sandbox", "going-live"];
    const groups = ["changes", "authentication", "webhooks", "schemas"];
    for (const id of [...pages, ...groups, ...document.tags.map(({ name }) => name)])
      expect(first).toContain(`<h3 id="${id}" data-moved><a href="docs/${id.toLowerCase()}">`);
  });
});

describe("the language", () => {
  test("is that of Accept-Language, and of `lang` before it; links keep what was chosen", async () => {
    const site = await open();
    const langOf = async (path: string, accepted?: string): Promise<string> => {
      const { body, headers } = await site.page(path, accepted);
      expect(headers["vary"]).toBe("Origin, Accept-Language");
      return /<html lang="(\w+)">/.exec(body)?.[1] ?? "";
    };
    expect(await langOf("/docs")).toBe("en");
    expect(await langOf("/docs", "pt-BR,pt;q=0.9,en;q=0.8")).toBe("pt");
    expect(await langOf("/docs", "fr,de")).toBe("en");
    expect(await langOf("/docs/errors?lang=en", "pt-BR")).toBe("en");
    expect(await langOf("/docs/errors?lang=pt", "en")).toBe("pt");
    expect(await langOf("/docs/errors?lang=pt-BR", "en")).toBe("pt");
    expect(await langOf("/docs/errors?lang=xx", "pt")).toBe("pt");

    const chosen = (await site.page("/docs/checkout?lang=pt")).body;
    expect(chosen).toContain('href="../docs/errors?lang=pt#parameter_invalid"');
    expect((await site.page("/docs/checkout", "pt")).body).toContain(
      'href="../docs/errors#parameter_invalid"',
    );
  });

  test("has an ETag of its own, and a page that did not change is a 304", async () => {
    const site = await open();
    const tagOf = async (accepted: string) => (await site.page("/docs", accepted)).headers["etag"];
    const [english = "", portuguese = ""] = [await tagOf("en"), await tagOf("pt")];
    expect(english).not.toBe(portuguese);
    expect((await site.page("/docs", "pt", portuguese)).status).toBe(304);
    expect((await site.page("/docs", "pt", english)).status).toBe(200);
  });

  test("is Portuguese in the frame, the guides, the headings and the errors; the rest says that it is English", async () => {
    const site = await open();
    const checkout = (await site.page("/docs/checkout", "pt")).body;
    for (const words of ["Criar uma sessão de checkout", "Parâmetros", "Experimentar", "Copiar"])
      expect(checkout).toContain(words);
    expect(checkout).toContain('<div lang="en"><p>Prices are computed');
    expect(checkout).toContain('<span lang="en">One per purchase');
    expect((await site.page("/docs/checkout")).body).not.toContain('<span lang="en">');
    expect((await site.page("/docs/errors", "pt")).body).toContain("O corpo não é JSON válido.");
    expect((await site.page("/docs/going-live", "pt")).body).not.toMatch(/lang="en"><p|Use live/);
  });

  test("has a remedy for the same errors as English, and every change", () => {
    expect(Object.keys(advice)).toEqual(Object.keys(remedies));
    for (const { en, pt } of changes) expect(pt).not.toBe(en);
  });
});

describe("the shop's colour", () => {
  test("is that of the checkout page, readable in light and dark, with addresses of its own", async () => {
    const plain = await open();
    const yellow = await open({ checkoutPage: { brandColor: "#ffd400" } });
    const sheetOf = async (site: typeof plain) =>
      /docs\/(docs\.css\?v=\w+)/.exec((await site.page("/docs")).body)?.[1] ?? "";
    expect(await sheetOf(yellow)).not.toBe(await sheetOf(plain));

    const { body } = await yellow.page(`/docs/${await sheetOf(yellow)}`);
    expect(body).toContain("--brand: #ffd400; --on-brand: #000000;");
    const inks = [...body.matchAll(/--brand-ink: (#\w{6})/g)].map(([, ink = ""]) => ink).slice(-2);
    for (const [index, behind] of [grounds.light, grounds.dark].entries())
      for (const ground of behind)
        expect(contrast(inks[index] ?? "", ground)).toBeGreaterThanOrEqual(4.5);
  });

  test("is the library's own where each store has another", async () => {
    const own = await open();
    const each = await open({ checkoutPage: { brandColor: () => "#ffd400" } });
    expect((await each.page("/docs")).body).toBe((await own.page("/docs")).body);
  });
});

test.each(["en", "pt"])("the search knows every place of every page, in %s", async (lang) => {
  const site = await open();
  const { body, headers } = await site.page(`/docs/search.json?lang=${lang}`);
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  const pages: { slug: string; title: string; places: { id: string; text: string }[] }[] =
    JSON.parse(body);
  for (const { slug, title, places } of pages) {
    const page = (await site.page(`/docs/${slug}?lang=${lang}`)).body;
    expect(page).toContain(`<h1>${title}</h1>`);
    expect(places.slice(1).map(({ id }) => id)).toEqual(placesOf(page));
    for (const { text } of places) expect(text).not.toMatch(/<\/?(?:p|code|div|a)\b|&(?:amp|lt);/);
  }
  const known = pages.flatMap(({ places }) => places.map(({ id }) => id));
  expect(known).toEqual(expect.arrayContaining([...Object.keys(publicErrors), "listMyOrders"]));
  expect(body.length).toBeLessThan(100_000);
});

import { expect, test } from "vitest";
import { createDashboardShop, everything } from "../support/dashboard-shop.ts";

const linkIn = (body: string | null, label: RegExp): string => {
  const links = [...(body ?? "").matchAll(/<a [^>]*href="([^"]+)"[^>]*>([^<]*)<\/a>/gs)];
  const [, address = ""] = links.find(([, , text = ""]) => label.test(text)) ?? [];
  return address.replaceAll("&amp;", "&");
};

test("orders and overview lead to the books of a period, with its sums and its file", async () => {
  const shop = await createDashboardShop();
  await shop.buy();
  await shop.buy();
  const address = `/dashboard/${shop.a.id}/test`;
  const visitor = shop.visitor();

  const overview = await visitor.send(address);
  expect(linkIn(overview.body, /For accounting/)).toBe(`${address}/books`);
  const list = await visitor.send(`${address}/orders?from=2026-01-10&to=2026-01-20`);
  const link = linkIn(list.body, /For accounting/);
  expect(link).toBe(`${address}/books?from=2026-01-10&to=2026-01-20`);

  const books = await visitor.send(link);
  expect(books.status).toBe(200);
  expect(books.body).toContain("R$20.00");
  const file = linkIn(books.body, /Download CSV/);
  expect(file).toBe(`${address}/books/export.csv?from=2026-01-10&to=2026-01-20`);
  const csv = await visitor.send(`${file}&lines=items`);
  expect(csv.headers["content-disposition"]).toBe(
    'attachment; filename="store-a-books-test-2026-01-10_2026-01-20.csv"',
  );
  expect((csv.body ?? "").split("\r\n")[1]).toContain(",Sale,1,");

  const month = await visitor.send(`${address}/books`, {
    headers: { "accept-language": "pt-BR" },
  });
  expect(month.body).toContain("janeiro de 2026");
  expect(month.body).toContain('value="2026-01-31"');
});

test("the digits of tax ids need a right of their own, and the books need that of exports", async () => {
  const customer = { email: "ana@example.com", tax_id: "529.982.247-25" };
  const csvOf = async (access: typeof everything.access) => {
    const shop = await createDashboardShop();
    await shop.buy({}, {}, { customer });
    const reply = await shop
      .visitor({ ...everything, access })
      .send(`/dashboard/${shop.a.id}/test/books/export.csv`);
    return [reply.status, reply.body?.includes("***.***.247-**"), reply.body?.includes("***")];
  };
  expect(await csvOf("all")).toEqual([200, true, true]);
  expect(await csvOf(["exports"])).toEqual([200, false, true]);
  expect(await csvOf(["exports", "exports.tax_ids"])).toEqual([200, true, true]);
  expect((await csvOf("read"))[0]).toBe(403);
});

test("a period that is too long or ends before it begins is told on the page", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test/books`;
  const visitor = shop.visitor();
  const long = await visitor.send(`${address}?from=2020-01-01&to=2026-01-01`);
  expect(long.body).toContain("Choose at most 400 days.");
  const back = await visitor.send(`${address}?from=2026-02-01&to=2026-01-01`);
  expect(back.status).toBe(200);
  expect(back.body).not.toContain("Download CSV");
});

test("the books and the overview count a sale in the same day, where midnight is within an hour", async () => {
  const shop = await createDashboardShop();
  await shop.owner.stores.update(shop.a.id, { timezone: "Asia/Kolkata" });
  const visitor = shop.visitor();
  shop.advance(6 * 3_600_000 + 600_000);
  await shop.buy();
  shop.advance(86_400_000);

  for (const [day, sold] of [
    ["2026-01-15", true],
    ["2026-01-16", false],
  ] as const) {
    const bodyOf = async (path: string): Promise<string> => {
      const at = `/dashboard/${shop.a.id}/test${path}?from=${day}&to=${day}`;
      return (await visitor.send(at)).body ?? "";
    };
    const found = [
      /Gross sales<\/h3>\s*<strong>R\$10\.00/.test(await bodyOf("")),
      (await bodyOf("/books")).includes("R$10.00"),
      (await bodyOf("/books/export.csv")).includes(",Sale,"),
    ];
    expect([day, ...found]).toEqual([day, sold, sold, sold]);
  }
});

import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createDashboardShop, filledIn, formOf } from "../support/dashboard-shop.ts";

const portugueseReader = { "accept-language": "pt-BR" };

const optionsOf = (body: string | null, name: string): readonly (readonly [string, string])[] => {
  const [, list = ""] = new RegExp(`<select id="${name}"[^>]*>([\\s\\S]*?)</select>`).exec(
    body ?? "",
  ) ?? [""];
  return [...list.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, value = "", label = ""]) => [value, label] as const,
  );
};

test("currency, country, language and time zone are lists, what most stores choose first", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test/settings`;
  const { body } = await shop.visitor().send(address, { headers: portugueseReader });

  const currencies = optionsOf(body, "currency");
  expect(currencies.slice(0, 3)).toEqual([
    ["BRL", "BRL · Real brasileiro"],
    ["USD", "USD · Dólar americano"],
    ["EUR", "EUR · Euro"],
  ]);
  const countries = optionsOf(body, "country");
  expect(countries.slice(0, 3)).toEqual([
    ["", "Não informado"],
    ["BR", "Brasil"],
    ["AF", "Afeganistão"],
  ]);
  expect(optionsOf(body, "locale")[0]).toEqual(["pt-BR", "português (Brasil) · pt-BR"]);
  const zones = optionsOf(body, "timezone");
  expect(zones.slice(0, 1)).toEqual([["UTC", "UTC"]]);
  expect(zones).toContainEqual(["America/Sao_Paulo", "Sao Paulo"]);
  expect(body).toContain('<optgroup label="America">');

  for (const list of [currencies, countries, zones]) {
    expect(list.length).toBeGreaterThan(150);
    expect(new Set(list.map(([value]) => value)).size).toBe(list.length);
  }
  // Codes that were given up, and those that name no country, are not offered.
  const codes = countries.map(([value]) => value);
  for (const gone of ["DD", "SU", "YU", "EU", "ZZ", "UK"]) expect(codes).not.toContain(gone);
  expect(gzipSync(body ?? "").length).toBeLessThan(30_000);
});

test("each listed value is one that a store accepts", async () => {
  const shop = await createDashboardShop();
  const address = `/dashboard/${shop.a.id}/test/settings`;
  const { body } = await shop.visitor().send(address);
  for (const name of ["currency", "country", "locale", "timezone"] as const)
    for (const [value] of optionsOf(body, name)) {
      if (value === "") continue;
      const changed = await shop.owner.stores.update(shop.a.id, { [name]: value });
      expect(changed[name]).toBe(value);
    }
});

test("values that the lists lack stay as they are when the settings are saved", async () => {
  const shop = await createDashboardShop();
  const kept = { locale: "de-AT-u-co-phonebk", timezone: "America/Buenos_Aires", country: "AR" };
  await shop.owner.stores.update(shop.a.id, kept);
  const address = `/dashboard/${shop.a.id}/test/settings`;
  const visitor = shop.visitor();
  expect((await visitor.submit(address, "save", { name: "Renamed" })).status).toBe(303);
  const store = await shop.owner.stores.retrieve(shop.a.id);
  expect(store).toMatchObject({ ...kept, name: "Renamed" });
});

test("a new store is made by the lists, and no currency is chosen for its owner", async () => {
  const shop = await createDashboardShop();
  const visitor = shop.visitor();
  const form = formOf(await visitor.send("/dashboard/new"), "create");
  expect([form.get("currency"), form.get("country"), form.get("locale")]).toEqual(["", "", "en"]);
  const refused = await visitor.send("/dashboard/new", { form: filledIn(form, { name: "Loja" }) });
  expect([refused.status, refused.body]).toEqual([422, expect.stringContaining("Currency")]);

  const fields = { currency: "BRL", country: "BR", timezone: "America/Sao_Paulo" };
  const mended = filledIn(formOf(refused, "create"), fields);
  expect((await visitor.send("/dashboard/new", { form: mended })).status).toBe(303);
  const { data } = await shop.owner.stores.list({ search: "Loja" });
  expect(data).toMatchObject([{ name: "Loja", locale: "en", ...fields }]);
});

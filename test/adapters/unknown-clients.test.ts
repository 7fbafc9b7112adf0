import { afterEach, describe, expect, test, vi } from "vitest";
import { memoryStorage } from "vitrine";
import { toNext } from "vitrine/next";
import { createShop } from "../support/shop.ts";

afterEach(() => vi.restoreAllMocks());

describe("clients whose address the host does not give", () => {
  test("share a limit, which the log says when it refuses the first of them, once", async () => {
    const warned: string[] = [];
    const write = (): void => {};
    const warn = (_details: object, text: string): void => void warned.push(text);
    const { storefront, a } = await createShop(memoryStorage(), {
      limits: { catalog: { limit: 2, window_ms: 60_000 } },
      logger: { debug: write, info: write, warn, error: write },
    });
    const ask = async (client: { readonly ip?: string }) => {
      const headers = { authorization: `Bearer ${a.test.pub}` };
      const request = new Request("http://localhost/v1/products", { headers });
      return (await storefront.handler(request, client)).status;
    };

    for (const status of [200, 200, 429]) expect(await ask({ ip: "203.0.113.9" })).toBe(status);
    expect(warned).toEqual([]);
    for (const status of [200, 200, 429, 429]) expect(await ask({})).toBe(status);
    expect(warned).toEqual([
      expect.stringContaining("clients share a rate limit, as the host gives no `ip`"),
    ]);
  });

  test("are told of by Next.js at the first request without the header, once", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { storefront, a } = await createShop(memoryStorage());
    const key = { authorization: `Bearer ${a.test.pub}` };
    const request = (headers: Record<string, string> = {}) =>
      new Request("http://localhost/v1/store", { headers: { ...key, ...headers } });
    const { GET } = toNext(storefront, { ip: "x-real-ip" });
    expect((await GET(request({ "x-real-ip": "203.0.113.9" }))).status).toBe(200);
    expect(warn).not.toHaveBeenCalled();
    for (let count = 0; count < 2; count += 1) expect((await GET(request())).status).toBe(200);
    expect(warn.mock.calls).toEqual([[expect.stringContaining("no header x-real-ip")]]);

    await toNext(storefront, { ip: "shared" }).GET(request());
    expect(warn).toHaveBeenCalledTimes(1);
  });
});

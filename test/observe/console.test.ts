import { afterEach, expect, test, vi } from "vitest";
import { createStorefront, memoryStorage, type StorefrontOptions } from "vitrine";
import { ApiError } from "../../src/contract/errors.ts";

afterEach(() => void vi.restoreAllMocks());

const options = {
  storage: memoryStorage(),
  publicUrl: "https://api.example.com",
  checkout: { baseUrl: "https://pay.example.com" },
} satisfies StorefrontOptions;

/** A host whose own catalog gives a record that does not fit: the buyer's answer is a bare 500. */
async function failing(more: Partial<StorefrontOptions>): Promise<number> {
  const storefront = createStorefront({ ...options, ...more, catalog: { ...catalog } });
  const { owner } = storefront;
  const store = await owner.stores.create({ name: "Shop", currency: "BRL" });
  await owner.stores.update(store.id, { headless_enabled: true });
  const { key } = await owner.keys.create({
    store_id: store.id,
    livemode: false,
    kind: "publishable",
  });
  const headers = { authorization: `Bearer ${key}` };
  return (
    await storefront.handler(new Request("https://api.example.com/v1/categories", { headers }))
  ).status;
}
const wrong = { id: "mugs", name: "Mugs" } as never;
const catalog = {
  list: async () => ({ products: [], next: null }),
  find: async () => null,
  categories: async () => [wrong],
  cart: async () => [],
};

test("without logger and onError an error is printed with its stack", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  expect(await failing({})).toBe(500);
  expect(said.mock.calls.map((words) => words.join(" "))).toEqual([
    expect.stringMatching(
      /handled \(request\).*The catalog option gave a record whose slug is wrong.*\n +at /s,
    ),
  ]);
});

test("the causes of an error are told too, on the console and to the logger", async () => {
  const refused = new Error("connect ECONNREFUSED 127.0.0.1:5432");
  const cause = new Error("The articles cannot be read.", { cause: refused });
  vi.spyOn(catalog, "categories").mockRejectedValue(cause);
  const said = vi.spyOn(console, "error").mockReturnValue();
  const logged: unknown[] = [];
  const quiet = () => {};
  const error = (details: object) => void logged.push(details);

  expect(await failing({})).toBe(503);
  expect(await failing({ logger: { debug: quiet, info: quiet, warn: quiet, error } })).toBe(503);

  const told = { message: cause.message, cause: { message: refused.message } };
  expect(said.mock.calls.at(0)?.at(-1)).toMatchObject(told.cause);
  expect(logged).toMatchObject([{ error: told }]);
});

test("the cause of a refusal is not told, because it may quote what was sent", async () => {
  const cause = new SyntaxError('Unexpected token in "4111 1111 1111 1111"');
  const refusal = new Error("No categories.", { cause: new ApiError("invalid_json", { cause }) });
  vi.spyOn(catalog, "categories").mockRejectedValue(refusal);
  const said = vi.spyOn(console, "error").mockReturnValue();

  expect(await failing({})).toBe(503);
  const last = said.mock.calls.at(0)?.at(-1);
  expect(last).toEqual({ code: "invalid_json", param: null });
});

test("with a logger or onError nothing is printed", async () => {
  const said = vi.spyOn(console, "error").mockReturnValue();
  const quiet = () => {};
  expect(await failing({ onError: quiet })).toBe(500);
  expect(await failing({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } })).toBe(
    500,
  );
  expect(said).not.toHaveBeenCalled();
});

test.each([
  ["not of 32 bytes", new Uint8Array(), "but is 0 bytes"],
  ["not of bytes", "0123456789abcdef0123456789abcdef", "but is of the type string"],
])(
  "a seal key %s is refused at start, saying what it is and how to make one",
  (_name, sealKey, what) => {
    expect(() => createStorefront({ ...options, sealKey: sealKey as Uint8Array })).toThrow(
      `Option sealKey must be exactly 32 bytes (a Uint8Array), ${what}: ` +
        "`openssl rand -base64 32` makes one to decode.",
    );
  },
);

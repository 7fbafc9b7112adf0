import { expect, test } from "vitest";
import { ownCatalog, schema } from "../../examples/own-catalog/catalog.ts";
import { openDatabase } from "../../examples/own-catalog/database.ts";
import { startExample } from "../support/example.ts";
import { payByForm } from "../support/pay-form.ts";

const call = async (url: string, key: string, body?: unknown) => {
  const response = await fetch(url, {
    headers: {
      authorization: `Bearer ${key}`,
      "idempotency-key": crypto.randomUUID(),
      "content-type": "application/json",
    },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return {
    status: response.status,
    etag: response.headers.get("etag"),
    body: await response.json(),
  };
};

test("examples/own-catalog: the host's articles are listed, sold, counted and sold out", async () => {
  const { base, printed: key } = await startExample("examples/own-catalog/server.ts");
  const v1 = `${base}/v1`;
  const { body } = await call(`${v1}/products?limit=2`, key);
  expect(
    body.data.map(({ id, available }: { id: string; available: boolean }) => [id, available]),
  ).toEqual([
    ["COF-1", true],
    ["MUG-7", true],
  ]);
  const rest = await call(`${v1}/products?limit=2&starting_after=${body.next_cursor}`, key);
  expect([rest.body.data[0].id, rest.body.data[0].available, rest.body.has_more]).toEqual([
    "TEA-2",
    false,
    false,
  ]);
  expect((await call(`${v1}/products?category=pantry&search=GREEN`, key)).body.data).toHaveLength(
    1,
  );
  expect((await call(`${v1}/products/blue-mug`, key)).body.data.id).toBe("MUG-7");
  expect(
    (await call(`${v1}/categories`, key)).body.data.map(({ slug }: { slug: string }) => slug),
  ).toEqual(["kitchen", "pantry"]);

  const buy = (quantity: number) =>
    call(`${v1}/checkout/sessions`, key, {
      items: [{ product_id: "COF-1", quantity }],
      success_url: `${base}/done`,
      cancel_url: `${base}/done`,
    });
  const made = await buy(3);
  expect(made.body.data).toMatchObject({
    amount_total: 10_350,
    line_items: [{ product_id: "COF-1", name: "Ground coffee" }],
  });
  const before = await call(`${v1}/products/COF-1`, key);
  const paid = await payByForm(made.body.data.checkout_url, { outcome: "succeed" });
  expect([paid.status, paid.headers.get("location")]).toEqual([303, `${base}/done`]);
  const after = await call(`${v1}/products/COF-1`, key);
  expect(after.body.data.available).toBe(false);
  expect(after.etag).not.toBe(before.etag); // no catalog version tells it: the tag is the data's
  expect((await buy(1)).body.error.code).toBe("insufficient_stock");
});

test("examples/own-payment: the host's own page charges and reports, once", async () => {
  const { base, printed } = await startExample("examples/own-payment/server.ts");
  const { key, product_id, return_url } = JSON.parse(printed);
  const made = await call(`${base}/v1/checkout/sessions`, key, {
    items: [{ product_id, quantity: 2 }],
    success_url: return_url,
    cancel_url: return_url,
  });
  const url: string = made.body.data.checkout_url;
  expect(await (await fetch(url)).text()).toContain("Your own payment page");
  // The page's address proves nothing: an amount that is not the session's is refused.
  expect((await fetch(url.replace("amount=6900", "amount=1"), { method: "POST" })).status).toBe(
    409,
  );
  const pay = async () => (await fetch(url, { method: "POST" })).json();
  const first = await pay();
  expect(first).toMatchObject({ number: 1, status: "paid" });
  expect(await pay()).toEqual(first);
});

test("examples/own-catalog: pieces that nobody releases are free again after their time", async () => {
  const database = await openDatabase(":memory:");
  database.exec(schema);
  database.exec("insert into articles values ('MUG', 'mug', 'Mug', 100, 3, 'kitchen', '')");
  const { reserve, confirm, cart } = ownCatalog(database);
  const where = { store_id: "str_1", livemode: false };
  const wanted = (order_id: string, minutes: number) => ({
    ...where,
    order_id,
    lines: [{ product_id: "MUG", quantity: 2 }],
    expires_at: new Date(Date.now() + minutes * 60_000).toISOString(),
  });
  const free = async () => (await cart({ ...where, product_ids: ["MUG"] }))[0]?.on_hand;

  expect([await reserve?.(wanted("ord_1", 10)), await free()]).toEqual([true, 1]);
  expect([await reserve?.(wanted("ord_2", 10)), await free()]).toEqual([false, 1]);
  expect([await reserve?.(wanted("ord_1", -1)), await free()]).toEqual([true, 3]);
  expect([await reserve?.(wanted("ord_2", 10)), await free()]).toEqual([true, 1]);
  await confirm?.(wanted("ord_1", 0));
  expect([await reserve?.(wanted("ord_1", 10)), await free()]).toEqual([true, -1]);
});

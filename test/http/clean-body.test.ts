import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { CheckoutRequest } from "../../src/contract/request-bodies.ts";
import { createShop, faultOf } from "../support/shop.ts";

// A field that no schema knows is read by nobody, and is refused all the same: a host's own code
// may read the body too.
test.each([
  ["a NUL", '{"extra":"a\\u0000b"}', "extra"],
  ["half of a surrogate pair", '{"extra":"\\ud83d"}', "extra"],
  ["a NUL in a list", '{"extra":[{"x":["\\u0000"]}]}', "extra[0].x[0]"],
  ["a NUL in a name", '{"extra":{"\\u0000":1}}', "extra"],
  ["a NUL in a name at the top", '{"\\u0000":1}', "body"],
])("%s is refused in a field that no schema knows", async (_name, raw, param) => {
  const shop = await createShop(memoryStorage());
  const headers = { "idempotency-key": "k" };
  const answer = await shop.post("/checkout/sessions", { key: shop.a.test.pub, raw, headers });
  expect(faultOf(answer)).toEqual([400, "parameter_invalid", param]);
});

// Sixty-four kilobytes of wrong entries took a tenth of a second, in which nobody else was answered.
test.each([
  ["items", Array(20_000).fill([]), "items must have 1 to 100 lines."],
  [
    "metadata",
    Object.fromEntries(Array.from({ length: 5_000 }, (_, key) => [`k${key}`, {}])),
    "metadata must have at most 50 keys.",
  ],
])("the entries of %s are counted before each is judged", async (field, value, message) => {
  const body = { success_url: "u", cancel_url: "u", items: [{ product_id: "p", quantity: 1 }] };
  const { error } = CheckoutRequest.safeParse({ ...body, [field]: value });
  expect(error?.issues.length).toBeLessThan(5);

  const shop = await createShop(memoryStorage());
  const headers = { "idempotency-key": "k" };
  const sent = { key: shop.a.test.pub, body: { ...body, [field]: value }, headers };
  const answer = await shop.post("/checkout/sessions", sent);
  expect(faultOf(answer)).toEqual([400, "parameter_invalid", field]);
  expect(answer.body.error.message).toBe(message);
});

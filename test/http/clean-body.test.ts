import { expect, test } from "vitest";
import { memoryStorage } from "vitrine";
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

import { describe, expect, test } from "vitest";
import { memoryStorage } from "vitrine";
import { codeOf, createShop } from "../support/shop.ts";

describe("the address that the host's code gives", () => {
  const made = async (address: unknown) => {
    const shop = await createShop(memoryStorage(), {
      checkout: { url: () => address as string },
    });
    return shop.session();
  };

  test.each([
    "https://pay.example.com/x?y=1#z",
    "http://localhost/x",
    "http://localhost:3000/x",
    `https://a.example/${"x".repeat(2_048 - 18)}`,
  ])("%s is shown as it is", async (address) => {
    const answer = await made(address);
    expect([answer.status, answer.body.data?.checkout_url]).toEqual([201, address]);
  });

  test.each([
    ["http", "http://pay.example.com/x"],
    ["a host that begins with localhost", "http://localhost.evil.example/x"],
    ["user info that looks like localhost", "http://localhost@evil.example/x"],
    ["another scheme", "javascript:alert(1)"],
    ["no host", "https://"],
    ["2,049 characters", `https://a.example/${"x".repeat(2_048 - 17)}`],
    ["no text", 7],
    ["nothing", undefined],
  ])("with %s it is 503, and the same key may be used again", async (_name, address) => {
    let current = address;
    const shop = await createShop(memoryStorage(), {
      checkout: { url: () => current as string },
    });
    const headers = { "idempotency-key": "same" };
    const refused = await shop.session({}, { headers });
    expect(codeOf(refused)).toEqual([503, "service_unavailable"]);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(shop.errors).toHaveLength(1);

    current = "https://pay.example.com/x";
    const answer = await shop.session({}, { headers });
    expect([answer.status, answer.body.data.checkout_url]).toEqual([201, current]);
    expect(answer.headers).not.toHaveProperty("idempotent-replayed");
  });
});

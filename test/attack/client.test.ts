import { describe, expect, test } from "vitest";
import { createClient, isStorefrontError } from "vitrine/client";

describe("the typed client", () => {
  const bodies: readonly (readonly [string, string])[] = [
    ["null", "null"],
    ["text", '"text"'],
    ["a number", "1"],
    ["a list", "[]"],
    ["an empty object", "{}"],
    ["the page of another service", '{"status":"ok"}'],
    ["data alone", '{"data":{"id":"str_1"}}'],
    ["no data", '{"livemode":false,"request_id":"req_1"}'],
    ["data without livemode", '{"data":{},"request_id":"req_1"}'],
    ["an error under a 200", '{"error":{"code":"declined","message":"no"}}'],
    ["an HTML page", "<!doctype html><title>Welcome</title>"],
  ];
  test.each(bodies)("refuses a 200 whose body is no envelope: %s", async (_name, body) => {
    const client = createClient({
      baseUrl: "https://api.example.com/v1",
      key: "hk_test_pub_x",
      fetch: async () => new Response(body, { status: 200 }),
    });
    const error = await client.getStore().then(
      () => expect.fail("It was taken for an answer."),
      (reason: unknown) => reason,
    );
    if (!isStorefrontError(error)) throw error;
    expect([error.code, error.status]).toEqual(["invalid_response", 200]);
  });
});

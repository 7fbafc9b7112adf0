import { describe, expect, test } from "vitest";
import { parseUrl } from "../../src/domain/parse-url.ts";
import {
  fillSessionId,
  matchReturnUrl,
  parseOrigin,
  parseRedirectUrl,
  parseReturnUrl,
} from "../../src/domain/url-rules.ts";

const long = `https://a.example/${"x".repeat(2_048 - 18)}`;

describe("origins to register", () => {
  test.each([
    ["https://shop.example", "https://shop.example"],
    ["HTTPS://Shop.Example", "https://shop.example"],
    ["https://shop.example:443", "https://shop.example"],
    ["https://shop.example:8443", "https://shop.example:8443"],
    ["http://localhost:3000", "http://localhost:3000"],
    ["https://localhost", "https://localhost"],
    ["https://lojação.example", "https://xn--lojao-dra1a.example"],
  ])("%s is registered as %s", (raw, origin) => {
    expect(parseOrigin(raw)).toBe(origin);
  });

  test.each([
    "https://shop.example/",
    "https://shop.example/path",
    "https://shop.example?q",
    "https://shop.example#f",
    "https://*.shop.example",
    "http://shop.example",
    "http://127.0.0.1:3000",
    "http://localhost.evil.example",
    "https://user@shop.example",
    "https://user:pass@shop.example",
    "https://shop.example\\evil",
    "https://shop.example ",
    "https://shop.\u00a0example",
    "https://shop.example\u2028",
    "https:shop.example",
    "https:///shop.example",
    "//shop.example",
    "ftp://shop.example",
    "null",
    "",
    null,
    7,
  ])("%j is no origin", (raw) => {
    expect(parseOrigin(raw)).toBeNull();
  });
});

describe("return URLs to register", () => {
  test.each([
    ["https://shop.example/ok", "https://shop.example/ok"],
    ["https://shop.example", "https://shop.example/"],
    ["https://SHOP.example:443/a/../b", "https://shop.example/b"],
    ["http://localhost:3000/ok", "http://localhost:3000/ok"],
    [long, long],
  ])("%s is registered as %s", (raw, url) => {
    expect(parseReturnUrl(raw)).toBe(url);
  });

  test.each([
    "https://shop.example/ok?x=1",
    "https://shop.example/ok#x",
    "https://shop.example/*",
    "http://shop.example/ok",
    "https://a:b@shop.example/ok",
    "javascript:alert(1)",
    "https://shop.example/\tok",
    "https://[::1/ok",
    `${long}x`,
    {},
  ])("%j is no return URL", (raw) => {
    expect(parseReturnUrl(raw)).toBeNull();
  });
});

describe("a session's return URL is matched by scheme, host, port and path", () => {
  const registered = ["https://shop.example/ok", "http://localhost:3000/ok"];

  test.each([
    ["https://shop.example/ok", "https://shop.example/ok"],
    ["https://shop.example/ok?order=1&x=%20", "https://shop.example/ok?order=1&x=%20"],
    ["https://shop.example/ok?a#fragment", "https://shop.example/ok?a"],
    ["HTTPS://SHOP.example:443/ok", "https://shop.example/ok"],
    ["http://localhost:3000/ok", "http://localhost:3000/ok"],
  ])("%s is accepted", (raw, url) => {
    expect(matchReturnUrl(raw, registered)).toBe(url);
  });

  test.each([
    "https://shop.example/ok/",
    "https://shop.example/OK",
    "https://shop.example/ok/more",
    "https://shop.example:444/ok",
    "http://shop.example/ok",
    "https://localhost:3000/ok",
    "https://shop.example.evil/ok",
    "https://shop.example@evil.example/ok",
    "https://evil.example/?https://shop.example/ok",
  ])("%s is refused", (raw) => {
    expect(matchReturnUrl(raw, registered)).toBeNull();
  });

  test("nothing is accepted while nothing is registered", () => {
    expect(matchReturnUrl("https://shop.example/ok", [])).toBeNull();
  });
});

test.each([
  ["https://a.example/ok?s={CHECKOUT_SESSION_ID}", "https://a.example/ok?s=cs_%261"],
  ["https://a.example/ok?s=%7BCHECKOUT_SESSION_ID%7D", "https://a.example/ok?s=cs_%261"],
  ["https://a.example/ok?s=%7bcheckout_session_id%7d", "https://a.example/ok?s=cs_%261"],
  [
    "https://a.example/ok?s={CHECKOUT_SESSION_ID}&t={CHECKOUT_SESSION_ID}",
    "https://a.example/ok?s=cs_%261&t=cs_%261",
  ],
  ["https://a.example/{CHECKOUT_SESSION_ID}", "https://a.example/{CHECKOUT_SESSION_ID}"],
  ["https://a.example/{CHECKOUT_SESSION_ID}?x", "https://a.example/{CHECKOUT_SESSION_ID}?x"],
])("the session's id is filled into the query of %s", (url, filled) => {
  expect(fillSessionId(url, "cs_&1")).toBe(filled);
});

describe("where a gateway may send the buyer", () => {
  const longest = `https://a.example/${"x".repeat(8_192 - 18)}`;
  test.each([
    ["https://pay.example/x", "https://pay.example/x"],
    ["https://päy.example/ü?q=ü", "https://xn--py-via.example/%C3%BC?q=%C3%BC"],
    ["http://localhost:4242/x", "http://localhost:4242/x"],
    ["http://127.0.0.1/x", "http://127.0.0.1/x"],
    ["http://[::1]:8080/x", "http://[::1]:8080/x"],
    [longest, longest],
  ])("%s is taken as %s", (raw, url) => {
    expect(parseRedirectUrl(raw)).toBe(url);
  });

  test.each([
    "http://pay.example/x",
    "http://localhost.evil.example/x",
    "http://127.0.0.2/x",
    "ftp://localhost/x",
    "javascript:alert(1)",
    "data:text/html,x",
    "/relative",
    "",
    `${longest}x`,
    null,
    undefined,
    ["https://pay.example/x"],
  ])("%j is dropped", (raw) => {
    expect(parseRedirectUrl(raw)).toBeNull();
  });
});

test("a text that is no address gives null", () => {
  expect(parseUrl("https://a.example/ü")?.href).toBe("https://a.example/%C3%BC");
  expect(parseUrl("https://")).toBeNull();
});

import { describe, expect, test } from "vitest";
import { rateLimitIp } from "../../src/domain/client-ip.ts";
import { crc32 } from "../../src/domain/keys/crc32.ts";
import {
  base64url,
  fromBase64url,
  hex,
  hmacSha256,
  hmacText,
  sha256,
  timingSafeEqual,
} from "../../src/domain/keys/hash.ts";
import { canonicalJson } from "../../src/domain/text/canonical-json.ts";
import { decodeCursor, encodeCursor } from "../../src/domain/text/cursor.ts";
import { fold } from "../../src/domain/text/fold.ts";
import { isCleanText, jsonDepth } from "../../src/domain/text/plain.ts";

test.each([
  [{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
  [{ a: { d: 1, c: {} } }, '{"a":{"c":{},"d":1}}'],
  [{ é: 1, z: 2, Z: 3, "10": 4, "9": 5 }, '{"10":4,"9":5,"Z":3,"z":2,"é":1}'],
  [["b", "a"], '["b","a"]'],
  ['"\u2028', '"\\"\u2028"'],
  [-0.5, "-0.5"],
  [null, "null"],
  [undefined, "null"],
  [{ a: undefined }, '{"a":null}'],
])("the canonical JSON of %j is %s", (value, text) => {
  expect(canonicalJson(value)).toBe(text);
});

test.each([
  ["Maçã", "maca"],
  ["STRAẞE Straße", "strasse strasse"],
  ["Øre Łódź Đà Œuvre Æon Þing Eð ı", "ore lodz da oeuvre aeon thing ed i"],
  ["İstanbul", "istanbul"],
  ["ﬁn ①", "fin 1"],
  ["한국", "한국"],
])("the folded form of %s is %s", (text, folded) => {
  expect(fold(text)).toBe(folded);
});

describe("a client's address counts by its network", () => {
  test.each([
    [undefined, "unknown"],
    ["", "unknown"],
    ["  ", "unknown"],
    ["203.0.113.9", "203.0.113.9"],
    [" 203.0.113.9 ", "203.0.113.9"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::FFFF:203.0.113.9", "203.0.113.9"],
    ["0:0:0:0:0:ffff:203.0.113.9", "203.0.113.9"],
    ["::ffff:cb00:7109", "203.0.113.9"],
    ["0:0:0:0:0:ffff:cb00:7109", "203.0.113.9"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::5:6:7", "2001:db8:1:2::/64"],
    ["2001:db8:1:3::", "2001:db8:1:3::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    // Only the sixth group marks a mapped address, and the first five must be zero.
    ["1::ffff:cb00:7109", "1:0:0:0::/64"],
    ["::fffe:cb00:7109", "0:0:0:0::/64"],
    // Text that is no address counts as it is, and never without a bound.
    ["1::2::3", "1::2::3"],
    ["1:2:3:4:5:6:7", "1:2:3:4:5:6:7"],
    ["1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8:9"],
    ["1:2:3:4::5:6:7:8", "1:2:3:4::5:6:7:8"],
    ["1:2:3:g::", "1:2:3:g::"],
    ["1:2:3:12345::", "1:2:3:12345::"],
    ["x".repeat(60), "x".repeat(45)],
    [`:${"x".repeat(60)}`, `:${"x".repeat(44)}`],
  ])("%j counts as %s", (ip, text) => {
    expect(rateLimitIp(ip)).toBe(text);
  });
});

describe("cursors", () => {
  const filters = "category=a";
  const place = { position: 7, id: "prod_ação" };
  const cursor = encodeCursor({ ...place, filters });

  test("a cursor gives the place that it was made of", () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(cursor, filters)).toEqual(place);
  });

  test.each([[Number.MAX_SAFE_INTEGER], [Number.MIN_SAFE_INTEGER], [0], [-1]])(
    "the position %d is kept",
    (position) => {
      const made = encodeCursor({ position, id: "a\nb", filters });
      expect(decodeCursor(made, filters)).toEqual({ position, id: "a\nb" });
    },
  );

  const madeOf = (content: string, sum = String(crc32(content))): string =>
    base64url(new TextEncoder().encode(`${sum}:${content}`));
  const hash = crc32(filters);
  const content = JSON.stringify([7, "a", hash]);
  const utf8 = new TextEncoder();
  test.each([
    ["other filters", encodeCursor({ ...place, filters: "category=b" })],
    ["a letter cut off", cursor.slice(0, -1)],
    ["a letter added", `${cursor}A`],
    ["no base64url", `${cursor}=`],
    ["a wrong checksum", madeOf(JSON.stringify([7, "a", hash]), "1")],
    ["a checksum that is no number", madeOf(JSON.stringify([7, "a", hash]), "x")],
    ["a digit before the checksum", base64url(utf8.encode(`x${crc32(content)}:${content}`))],
    ["no JSON", madeOf("[7,")],
    ["no list", madeOf("{}")],
    ["a position that is no integer", madeOf(JSON.stringify([7.5, "a", hash]))],
    ["a position above 2^53-1", madeOf(`[9007199254740992,"a",${hash}]`)],
    ["a position that is null", madeOf(JSON.stringify([null, "a", hash]))],
    ["a position that is text", madeOf(JSON.stringify(["7", "a", hash]))],
    ["an id that is no text", madeOf(JSON.stringify([7, 8, hash]))],
    ["no hash of filters", madeOf(JSON.stringify([7, "a"]))],
    ["bytes that are no UTF-8", base64url(Uint8Array.of(0xff, 0xfe))],
    ["nothing", ""],
  ])("a cursor with %s is refused", (_name, text) => {
    expect(decodeCursor(text, filters)).toBeNull();
  });

  test("the content itself, made in the same way, is accepted", () => {
    expect(decodeCursor(madeOf(JSON.stringify([7, "a", hash])), filters)).toEqual({
      position: 7,
      id: "a",
    });
  });
});

describe("hashes and base64url", () => {
  const bytes = Uint8Array.of(0, 1, 15, 16, 250, 251, 252, 253, 254, 255);

  test.each([
    [0, ""],
    [1, "AA"],
    [2, "AAE"],
    [3, "AAEP"],
    [10, "AAEPEPr7_P3-_w"],
  ])("%d bytes are %j in base64url, and are read again", (length, text) => {
    expect(base64url(bytes.slice(0, length))).toBe(text);
    expect(fromBase64url(text)).toEqual(bytes.slice(0, length));
  });

  test.each(["A", "AAEPA", "AA==", "AA+/", "AB", " AA", "AA\n", "ã"])(
    "%j is no canonical base64url",
    (text) => {
      expect(fromBase64url(text)).toBeNull();
    },
  );

  test("bytes are written in hex with two digits each", () => {
    expect(hex(bytes)).toBe("00010f10fafbfcfdfeff");
  });

  test("SHA-256 of a known text, as hex and as base64url", async () => {
    const digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(await sha256("abc")).toBe(digest);
    expect(await sha256("abc", "base64url")).toBe(base64url(Buffer.from(digest, "hex")));
  });

  // RFC 4231, test case 2.
  test("HMAC-SHA-256 of a known text, as bytes and as text", async () => {
    const key = new TextEncoder().encode("Jefe");
    const mac = await hmacSha256(key, "what do ya want for nothing?");
    expect(hex(mac)).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    expect(await hmacText(key, "what do ya want for nothing?")).toBe(base64url(mac));
  });

  test.each([
    ["", "", true],
    ["abc", "abc", true],
    ["abc", "abd", false],
    ["abc", "bbc", false],
    ["abc", "acb", false],
    ["abc", "ab", false],
    ["ab", "abc", false],
  ])("%j and %j are compared", (a, b, isEqual) => {
    expect(timingSafeEqual(a, b)).toBe(isEqual);
  });
});

test.each([
  ["", true],
  ["João 漢 😀", true],
  ["a\u0000", false],
  ["\ud83d", false],
  ["\ude00", false],
  ["\ude00\ud83d", false],
  ["a\ud83db", false],
])("%j is clean text: %j", (text, isClean) => {
  expect(isCleanText(text)).toBe(isClean);
});

test.each([
  ["1", 0, true],
  ["[]", 1, true],
  ["[]", 0, false],
  ['{"a":[1]}', 2, true],
  ['{"a":[1]}', 1, false],
  // Values beside each other are not deeper.
  ["[[],[],{}]", 2, true],
  ['[{},{"a":{}}]', 2, false],
  // Brackets in strings do not count, also behind escaped quotes and backslashes.
  ['["[[[["]', 1, true],
  ['["\\"[[[["]', 1, true],
  ['["\\\\",[1]]', 1, false],
  ['["\\\\",[1]]', 2, true],
])("the JSON %s is at most %d deep: %j", (text, max, isWithin) => {
  expect(jsonDepth(text, max)).toBe(isWithin);
});

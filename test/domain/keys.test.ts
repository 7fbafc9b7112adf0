import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  base62,
  createApiKey,
  createWebhookSecret,
  keyPrefix,
  parseApiKey,
} from "../../src/domain/keys/api-keys.ts";
import { crc32 } from "../../src/domain/keys/crc32.ts";
import { createIds, timeOfId } from "../../src/domain/keys/ids.ts";
import { createKeyRing } from "../../src/domain/keys/key-ring.ts";

const bytesOf =
  (byte: number) =>
  (length: number): Uint8Array =>
    new Uint8Array(length).fill(byte);

const shapes = [
  ["hk_live_pub_", { livemode: true, kind: "publishable" }],
  ["hk_live_sec_", { livemode: true, kind: "secret" }],
  ["hk_test_pub_", { livemode: false, kind: "publishable" }],
  ["hk_test_sec_", { livemode: false, kind: "secret" }],
] as const;

describe("API keys", () => {
  test.each(shapes)("%s names the mode and the kind of a key", (prefix, shape) => {
    const key = createApiKey(shape, bytesOf(171));
    expect(keyPrefix(shape)).toBe(prefix);
    expect(key).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`));
    expect(parseApiKey(key)).toEqual(shape);
  });

  test("a key keeps its form: 43 digits of its bytes and a CRC-32 in six", () => {
    const shape = { livemode: true, kind: "publishable" } as const;
    const zeros = `hk_live_pub_${"0".repeat(43)}`;
    expect(createApiKey(shape, bytesOf(0))).toBe(`${zeros}${base62(BigInt(crc32(zeros)), 6)}`);
    const ones = createApiKey(shape, bytesOf(255));
    expect(ones.slice(12, 55)).toBe(base62(2n ** 256n - 1n, 43));
  });

  const key = createApiKey({ livemode: false, kind: "secret" }, bytesOf(7));
  const changed = (at: number): string =>
    `${key.slice(0, at)}${key[at] === "x" ? "y" : "x"}${key.slice(at + 1)}`;
  test.each([
    ["a wrong digit of the body", changed(20)],
    ["a wrong first digit of the checksum", changed(55)],
    ["a wrong last digit of the checksum", changed(60)],
    ["the other mode", key.replace("test", "live")],
    ["the other kind", key.replace("sec", "pub")],
    ["an unknown kind", key.replace("sec", "sek")],
    ["text before it", ` ${key}`],
    ["text after it", `${key}\n`],
    ["one digit too few", key.slice(0, -1)],
    ["nothing", ""],
  ])("a key with %s is refused", (_name, text) => {
    expect(parseApiKey(text)).toBeNull();
  });

  test("a webhook secret is 256 bits in 43 digits", () => {
    expect(createWebhookSecret(bytesOf(0))).toBe(`whsec_${"0".repeat(43)}`);
    expect(createWebhookSecret(bytesOf(255))).toBe(`whsec_${base62(2n ** 256n - 1n, 43)}`);
  });

  test.each([
    [0n, 3, "000"],
    [9n, 1, "9"],
    [10n, 1, "A"],
    [35n, 1, "Z"],
    [36n, 1, "a"],
    [61n, 2, "0z"],
    [62n, 2, "10"],
    [3843n, 2, "zz"],
  ])("%d in base 62 with %d digits is %s", (value, length, text) => {
    expect(base62(value, length)).toBe(text);
  });
});

test.each([
  ["", 0],
  ["123456789", 0xcbf43926],
  ["The quick brown fox jumps over the lazy dog", 0x414fa339],
  ["João ✓", 1_674_020_338],
])("the CRC-32 of %j is the one of ISO-HDLC", (text, sum) => {
  expect(crc32(text)).toBe(sum);
});

describe("ids", () => {
  const idsAt = (now: () => number, randomBytes = bytesOf(0)) => createIds({ now, randomBytes });

  test.each([
    [0, "0000000000"],
    [1, "0000000001"],
    [32, "0000000010"],
    [Date.UTC(2026, 0, 1), "01KDVDNA00"],
    [2 ** 48 - 1, "7ZZZZZZZZZ"],
  ])("the time %d is written as %s and read again", (time, text) => {
    const id = idsAt(() => time)("ord");
    expect(id).toBe(`ord_${text}${"0".repeat(16)}`);
    expect(timeOfId("ord", id)).toBe(time);
  });

  test("the random part is the bytes in base 32", () => {
    const random = Uint8Array.from([0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x12, 0x34]);
    const newId = idsAt(
      () => 0,
      (length) => Uint8Array.from({ length }, (_, index) => random[index % 10] ?? 0),
    );
    const id = newId("req");
    const bits = [...random].map((byte) => byte.toString(2).padStart(8, "0")).join("");
    const letters = (bits.match(/.{5}/g) ?? []).map(
      (five) => "0123456789ABCDEFGHJKMNPQRSTVWXYZ"[Number.parseInt(five, 2)],
    );
    expect(id.slice(-16)).toBe(letters.join(""));
  });

  test("products of one millisecond are in the order in which they were made", () => {
    let now = 7;
    const newId = idsAt(
      () => now,
      (length) => Uint8Array.from({ length }, (_, index) => 255 - index),
    );
    const ids = Array.from({ length: 3_000 }, (_, index) => {
      if (index === 2_500) now += 1;
      return newId("prod");
    });
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(3_000);
    expect(timeOfId("prod", ids[0] ?? "")).toBe(7);
  });

  test("each id has ten random bytes of its own, of which many are fetched at once", () => {
    let next = 0;
    const fetched: number[] = [];
    const newId = idsAt(
      () => 0,
      (length) => {
        fetched.push(length);
        return Uint8Array.from({ length }, () => next++ / 10);
      },
    );
    const ids = new Set(Array.from({ length: 205 }, () => newId("evt")));
    expect(ids.size).toBe(205);
    expect(fetched).toEqual([1_020, 1_020, 1_020]);
  });

  test("the time of an id follows the clock", () => {
    let now = 5;
    const newId = idsAt(() => now);
    newId("evt");
    now = 6;
    expect(timeOfId("evt", newId("evt"))).toBe(6);
    now = 5;
    expect(timeOfId("evt", newId("evt"))).toBe(5);
  });

  test.each([
    ["another kind", "cs_0000000000000000000000000A"],
    ["a host's own id", "ord_my-order"],
    ["a letter that the alphabet lacks", "ord_000000000I0000000000000000"],
    ["one letter too few", "ord_0000000000000000000000000"],
    ["one letter too many", "ord_000000000000000000000000000"],
    ["text before the prefix", "xord_00000000000000000000000000"],
  ])("%s has no time", (_name, id) => {
    expect(timeOfId("ord", id)).toBeNull();
  });
});

describe("the key ring", () => {
  const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];

  test("the first key seals, and every key of the ring opens", async () => {
    const old = await createKeyRing([first], bytesOf(5)).seal("whsec_1", "we_1");
    const ring = createKeyRing([second, first], bytesOf(5));
    expect(ring.current.id).toBe(ring.ids[0]);
    expect(await ring.unseal(old, "we_1")).toBe("whsec_1");

    const sealed = await ring.seal("whsec_2", "we_1");
    expect(sealed.split(".")[0]).toBe(ring.ids[0]);
    expect(await ring.unseal(sealed, "we_1")).toBe("whsec_2");
  });

  test.each([
    ["another row", "we_2", (sealed: string) => sealed],
    ["a changed byte", "we_1", (sealed: string) => `${sealed.slice(0, -2)}AA`],
    [
      "a key that is not in the ring",
      "we_1",
      (sealed: string) => sealed.replace(/^\w+/, "0000000"),
    ],
    [
      "a nonce that is no base64url",
      "we_1",
      (sealed: string) => sealed.replace(/\.[^.]+\./, ".+."),
    ],
    ["a text that was never sealed", "we_1", () => "whsec_plain"],
  ])("a sealed text with %s does not open", async (_name, aad, change) => {
    const ring = createKeyRing([first], bytesOf(5));
    const sealed = change(await ring.seal("whsec_1", "we_1"));
    await expect(ring.unseal(sealed, aad)).rejects.toMatchObject({
      code: "invalid_option",
      param: "sealKey",
    });
  });

  test("each purpose has a key of its own, the same in every process", async () => {
    const ring = createKeyRing([first], bytesOf(5));
    const id = ring.current.id;
    const derived = await ring.derive(id, "checkout-token");
    const expected = createHmac("sha256", first).update("vitrine/checkout-token").digest();
    expect(Buffer.from(derived)).toEqual(expected);
    expect(await ring.derive(id, "checkout-token")).toBe(derived);
    expect(await ring.derive(id, "seal")).not.toEqual(derived);
    await expect(ring.derive("0000000", "seal")).rejects.toMatchObject({ code: "invalid_option" });
  });

  test("the id of a key stays the same in later versions, and differs from other keys'", () => {
    const idOf = (key: Uint8Array) => createKeyRing([key], bytesOf(5)).current.id;
    expect(idOf(first)).toBe("021k52u");
    expect(idOf(second)).not.toBe(idOf(first));
    expect(idOf(new Uint8Array(32))).toBe("-wrfjje");
  });

  test("a ring without a key is refused", () => {
    expect(() => createKeyRing([], bytesOf(5))).toThrow("A key ring needs a key.");
  });
});

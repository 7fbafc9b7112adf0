import { isIPv6 } from "node:net";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isMetadataAddress,
  isPublicAddress,
  judgeWebhookUrl,
  originOf,
} from "../../src/webhooks/send/address-rules.ts";

const v4 = (value: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join(".");
const v6 = (value: bigint): string =>
  Array.from({ length: 8 }, (_, at) =>
    ((value >> BigInt(112 - 16 * at)) & 0xffffn).toString(16),
  ).join(":");
const number4 = (text: string): number =>
  text.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
const number6 = (groups: string): bigint =>
  groups.split(":").reduce((sum, group) => (sum << 16n) + BigInt(`0x${group || "0"}`), 0n) <<
  BigInt(16 * (8 - groups.split(":").length));

// The neighbours of a block are public unless another block of the contract begins there.
const denied4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
    .split(" ")
    .map((block) => block.split("/") as [string, string]);
const denied6 = "2001/23 2001:db8/32 2002/16 2620:4f:8000/48 3ffe/16 3fff/20"
  .split(" ")
  .map((block) => block.split("/") as [string, string]);

describe("webhook addresses", () => {
  test("IPv4 is refused from the first to the last address of each block, and not beside it", () => {
    const within = (value: number) =>
      denied4.some(
        ([base, bits]) =>
          value >= number4(base) && value < number4(base) + 2 ** (32 - Number(bits)),
      );
    for (const [base, bits] of denied4) {
      const first = number4(base);
      const last = first + 2 ** (32 - Number(bits)) - 1;
      for (const value of [first, last, first - 1, last + 1, Math.floor((first + last) / 2)]) {
        if (value >= 0 && value < 2 ** 32)
          expect([v4(value), isPublicAddress(v4(value))]).toEqual([v4(value), !within(value)]);
      }
    }
  });

  test("IPv6 is refused but for 2000::/3 less its blocks, from the first to the last address of each", () => {
    for (const [base, bits] of denied6) {
      const first = number6(base);
      const last = first + (1n << BigInt(128 - Number(bits))) - 1n;
      for (const value of [first, last])
        expect([v6(value), isPublicAddress(v6(value))]).toEqual([v6(value), false]);
    }
    for (const address of [
      "2001:200::",
      "2001:db7:ffff::1",
      "2001:db9::",
      "2003::",
      "2620:4f:7fff:ffff::",
      "2620:4f:8001::",
      "3ffd:ffff::1",
      "3fff:1000::",
    ]) {
      expect([address, isPublicAddress(address)]).toEqual([address, true]);
    }
    for (const address of [
      "1fff:ffff::1",
      "4000::",
      "::",
      "::1",
      "fe80::1",
      "fc00::1",
      "ff02::1",
      "64:ff9b::808:808",
      "::ffff:8.8.8.8",
      "::8.8.8.8",
    ]) {
      expect([address, isPublicAddress(address)]).toEqual([address, false]);
    }
  });

  test("every text form of an IPv6 address is read as the same address, anything else is no address", () => {
    for (const text of [
      "2606:4700::1111",
      "2606:4700:0:0:0:0:0:1111",
      "2606:4700:0000::0.0.17.17",
      "2606:4700::0:0.0.17.17",
      "2606:4700:0:0:0:0::1111",
    ]) {
      expect([text, isPublicAddress(text)]).toEqual([text, true]);
    }
    const forms = fc.oneof(
      fc.ipV6(),
      fc.string({ unit: fc.constantFrom(..."0123abcdef:.%[] gF"), maxLength: 24 }),
      fc.ipV4Extended(),
    );
    fc.assert(
      fc.property(forms, (text) => {
        // Never public unless Node, too, takes it for an address; zone ids never.
        if (text.includes(":") && (!isIPv6(text) || text.includes("%")))
          expect(isPublicAddress(text)).toBe(false);
      }),
      { numRuns: 5_000, seed: 7 },
    );
    fc.assert(
      fc.property(fc.bigInt({ min: 0x2003n << 112n, max: (0x261fn << 112n) - 1n }), (value) => {
        const canonical = new URL(`http://[${v6(value)}]`).hostname.slice(1, -1);
        expect(
          isPublicAddress(canonical) &&
            isPublicAddress(v6(value)) &&
            isPublicAddress(v6(value).toUpperCase()),
        ).toBe(true);
      }),
      { numRuns: 1_000, seed: 7 },
    );
    for (const text of [
      "fe80::1%eth0",
      "2606:4700::1%25lo",
      "[2606:4700::1]",
      "2606:4700::1 ",
      "1:2:3:4:5:6:7:8::",
      "2606::4700::1",
      "",
      "not-an-ip",
    ]) {
      expect([text, isPublicAddress(text)]).toEqual([text, false]);
    }
    for (const text of [
      "8.8.8",
      "8.8.8.8.8",
      "08.8.8.8",
      "0x8.8.8.8",
      "8.8.8.256",
      "134744072",
      "8.8.8.8 ",
      "８.8.8.8",
    ]) {
      expect([text, isPublicAddress(text)]).toEqual([text, false]);
    }
  });

  test("NAT64 is allowed only with allowNat64, and then judged by its IPv4 address", () => {
    expect(isPublicAddress("64:ff9b::8.8.8.8", { allowNat64: true })).toBe(true);
    expect(isPublicAddress("64:ff9b::a9fe:a9fe", { allowNat64: true })).toBe(false);
    expect(isPublicAddress("64:ff9b:1::8.8.8.8", { allowNat64: true })).toBe(false);
    expect(judgeWebhookUrl("https://[64:ff9b::808:808]/", { allowNat64: true }).ok).toBe(true);
  });

  test("the raw text is judged before it is parsed", () => {
    const good = "https://hooks.merchant-example.com";
    for (const raw of [
      `${good}/a@b`,
      `${good}/?a=@`,
      `${good}/a\\b`,
      `${good}/a\u00a0b`,
      `${good}/a\u200bb`,
      `${good}/a\u0085b`,
      `${good}/\tb`,
      "https:///hooks.merchant-example.com/",
      "https:hooks.merchant-example.com/",
      "http://hooks.merchant-example.com/",
      `${good}/${"a".repeat(2_048)}`,
      "https://1.1.1.1./",
      "https://[2606:4700:4700::ABCD]/",
      "https://[2606:4700:4700:0::1111]/",
      "https://１.1.1.1/",
    ]) {
      expect([raw.slice(0, 60), judgeWebhookUrl(raw).ok]).toEqual([raw.slice(0, 60), false]);
    }
    expect(judgeWebhookUrl(`${good}/${"a".repeat(2_048 - good.length - 1)}`).ok).toBe(true);
    expect(judgeWebhookUrl("https://1.1.1.1:443/x")).toMatchObject({
      ok: true,
      host: "1.1.1.1",
      hostKind: "ipv4",
    });
    expect(judgeWebhookUrl("https://[2606:4700:4700::1111]/")).toMatchObject({
      ok: true,
      host: "2606:4700:4700::1111",
      hostKind: "ipv6",
    });
    for (const raw of [null, undefined, 7, {}]) expect(judgeWebhookUrl(raw).ok).toBe(false);
  });

  test("a name has two labels of letters, digits, inner hyphens and underscores, and no trailing dot", () => {
    for (const host of [
      "a.b",
      "my_shop.merchant-example.com",
      "xn--mnchen-shop-thb.de",
      `${"a".repeat(63)}.com`,
      "1and1.com",
      "example.com",
    ]) {
      expect([host, judgeWebhookUrl(`https://${host}/`).ok]).toEqual([host, true]);
    }
    for (const host of [
      "a",
      "a.b.",
      "a..b",
      ".a.b",
      "-a.com",
      "a-.com",
      "a.com-",
      `${"a".repeat(64)}.com`,
      "a*b.com",
      "a!b.com",
      "a.internal",
      "A.LOCAL",
      "x.svc",
    ]) {
      expect([host, judgeWebhookUrl(`https://${host}/`).ok]).toEqual([host, false]);
    }
  });

  test("allowTargets opens scheme, host and port of an exact origin only, and never a metadata address", () => {
    const allowTargets = [
      "http://127.0.0.1:4242",
      "https://receiver.internal:8443",
      "http://[64:ff9b::a9fe:a9fe]",
      "http://169.254.169.254",
      "http://[fd00:ec2::254]",
    ];
    const allowed = (raw: string): boolean => judgeWebhookUrl(raw, { allowTargets }).ok;
    expect(judgeWebhookUrl("http://127.0.0.1:4242/x?y", { allowTargets })).toMatchObject({
      ok: true,
      allowedTarget: true,
      hostKind: "ipv4",
    });
    expect(allowed("https://receiver.internal:8443/in")).toBe(true);
    for (const raw of [
      "https://127.0.0.1:4242/",
      "http://127.0.0.1:4243/",
      "http://localhost:4242/",
      "http://127.0.0.1:4242@evil.com/",
      "https://receiver.internal/",
      "https://x.receiver.internal:8443/",
      "http://169.254.169.254/latest",
      "http://[fd00:ec2::254]/",
      "http://[64:ff9b::a9fe:a9fe]/",
    ]) {
      expect([raw, allowed(raw)]).toEqual([raw, false]);
    }
    expect(["http://127.0.0.1:4242", "https://a.b/"].map(originOf)).toEqual([
      "http://127.0.0.1:4242",
      "https://a.b",
    ]);
    expect(
      ["http://a.b/path", "file:///x", "a.b", "http://u@a.b", "*", "http://a.b?x"].map(originOf),
    ).toEqual([null, null, null, null, null, null]);
  });

  test("a metadata address is recognised in every IPv6 form of it", () => {
    for (const address of [
      "169.254.169.254",
      "169.254.170.2",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
      "fd00:ec2::254",
      "fd20:ce::254",
      "fe80::a9fe:a9fe",
      "::ffff:169.254.169.254",
      "::169.254.169.254",
      "64:ff9b::a9fe:a9fe",
      "2002:a9fe:a9fe::1",
    ]) {
      expect([address, isMetadataAddress(address)]).toEqual([address, true]);
    }
    for (const address of ["127.0.0.1", "::1", "10.0.0.1", "fd00::1", "8.8.8.8"])
      expect([address, isMetadataAddress(address)]).toEqual([address, false]);
  });
});

import { expect, test } from "vitest";
import { nearestName } from "../../src/domain/text/nearest.ts";

const options = ["gateways", "storage", "leaseMs", "readyz", "limits", "now"];

test.each([
  ["a letter too few", "gateway", "gateways"],
  ["a letter too many", "gatewayss", "gateways"],
  ["another letter", "gatewaiz", "gateways"],
  ["two letters exchanged", "stroage", "storage"],
  ["the first two letters exchanged", "tsorage", "storage"],
  ["the last two letters exchanged", "storaeg", "storage"],
  ["other capitals", "LEASEMS", "leaseMs"],
  ["only the beginning of the name", "lease", "leaseMs"],
  ["more than the name", "limitsForKeys", "limits"],
  ["two letters wrong of six", "lomots", "limits"],
  ["one letter wrong of three", "niw", "now"],
  ["one letter wrong of two", "no", "now"],
])("%s: %j was meant to be a known name", (_words, given, known) => {
  expect(nearestName(given, options)).toBe(known);
});

test.each([
  ["three letters wrong of six", "lomatz"],
  ["two letters wrong of three", "nib"],
  ["two letters that begin several names", "le"],
  ["nothing", ""],
  ["a word of its own", "webhook"],
])("%s: %j is near no name", (_words, given) => {
  expect(nearestName(given, options)).toBeNull();
});

test("of two near names the nearer one counts, and of equal ones the first", () => {
  expect(nearestName("origins", ["origin", "originss", "originxx"])).toBe("origin");
  expect(nearestName("origin", ["originxx", "origins"])).toBe("origins");
  expect(nearestName("abcx", ["abcy", "abcz"])).toBe("abcy");
});

test("letters that are moved apart count each for itself", () => {
  expect(nearestName("abcdef", ["fbcdea"])).toBe("fbcdea");
  expect(nearestName("abcdef", ["facdeb"])).toBeNull();
  expect(nearestName("abcdef", ["badcfe"])).toBeNull();
  expect(nearestName("abcdef", ["badcef"])).toBe("badcef");
});

test("of a long text the first hundred letters are compared", () => {
  const long = "a".repeat(100);
  const near = `${"a".repeat(99)}x`;
  expect(nearestName(`${long}${"b".repeat(200)}`, [near])).toBe(near);
  expect(nearestName(`${"b".repeat(100)}${long}`, [long])).toBeNull();
});

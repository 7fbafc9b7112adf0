import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CompiledPattern,
  compilePattern,
  matchesPattern,
} from "../../src/domain/text/pattern.ts";

/** Counts how many ranges a match compares a character with. */
function counted(pattern: CompiledPattern): { pattern: CompiledPattern; steps: () => number } {
  let steps = 0;
  const count = <T>(list: readonly T[]): readonly T[] =>
    new Proxy(list, {
      get(target, name, receiver) {
        if (typeof name === "string" && /^\d+$/.test(name)) steps += 1;
        return Reflect.get(target, name, receiver);
      },
    });
  const pieces = pattern.map((piece) => ({
    ...piece,
    accepts: { ...piece.accepts, ranges: count(piece.accepts.ranges) },
  }));
  return { pattern: pieces, steps: () => steps };
}

test("the widest class against 64 KiB takes at most nine steps for each character", () => {
  // Every second letter of a script, so that no two of them join: one range each.
  const letters = Array.from({ length: 490 }, (_, index) =>
    String.fromCodePoint(0x4e00 + index * 2),
  );
  const compiled = compilePattern(`[${letters.join("")}]*`);
  if (!compiled) throw new Error("the pattern is accepted");

  const text = (letters.at(-1) ?? "").repeat(65_536);
  const { pattern, steps } = counted(compiled);
  expect(matchesPattern(pattern, text)).toBe(true);
  expect(steps()).toBeLessThanOrEqual(65_536 * 9);
});

test("a class accepts what a regular expression of the same text accepts", () => {
  const atom = fc.constantFrom("a", "c", "x-z", "0-9", "b-d", "\\w", "\\d", "\\s", "\\-", "é");
  const classes = fc.tuple(fc.boolean(), fc.array(atom, { minLength: 1, maxLength: 8 }));
  fc.assert(
    fc.property(classes, fc.constantFrom(..."abcdxyz059 -_é\n漢"), ([negated, atoms], letter) => {
      const source = `[${negated ? "^" : ""}${atoms.join("")}]`;
      const compiled = compilePattern(source);
      if (!compiled) throw new Error(source);
      expect(matchesPattern(compiled, letter)).toBe(new RegExp(`^${source}$`, "u").test(letter));
    }),
  );
});

test.each([
  ["", "", "a"],
  ["a", "a", "b", "", "aa"],
  ["^abc$", "abc", "xabc", "abcx"],
  // The end is a literal when it is escaped.
  ["a\\$", "a$", "a", "a\\"],
  [".", "a", "", "\n", "\r", "ab"],
  [".", "\u2028", ""],
  ["\\d\\w\\s", "5_ ", "a_ ", "5- ", "5_x"],
  ["\\d", "0", "/", ":"],
  ["\\d", "9", "a"],
  ["\\w", "A", "@", "["],
  ["\\w", "Z", "`", "{"],
  ["\\w", "z", "^"],
  ["\\s", "\t", "\b", "\u000e"],
  ["\\s", "\r", "!", "\u001f"],
  ["\\s", "\u00a0", "\u00a1", "\u009f"],
  ["[^a-c]", "d", "a", "b", "c", ""],
  ["[a-a]", "a", "b", "-"],
  ["[a-]", "-", "b"],
  ["[-a]", "-", "b"],
  ["[\\]-a]", "_", "[", "b"],
  ["[\\d-x]", "-", "a"],
  ["[+-\\.]", ",", "/"],
  ["😀", "😀", "😁", "\ud83d"],
  ["a?b", "b", "aab", "a"],
  ["a?b", "ab"],
  ["a*", "", "b"],
  ["a*b", "aaab", "aaa"],
  ["a+", "aaa", ""],
  ["a{2}", "aa", "a", "aaa"],
  ["a{2,}", "aaaa", "a"],
  ["a{2,3}", "aa", "a", "aaaa"],
  ["a{2,3}", "aaa"],
  ["a{0,1}b", "b", "aab"],
  ["a{500}", "a".repeat(500), "a".repeat(499), "a".repeat(501)],
  ["a*a*b?c", "aac", "aabbc", "aab"],
  ["\\d{3}-\\d{3}", "123-456", "123456", "12a-456"],
  [".*@.+\\.br", "a@b.c.br", "a@.br", "ab.br"],
])("the pattern %j matches %j and nothing that follows it", (source, match, ...others) => {
  const pattern = compilePattern(source);
  if (!pattern) throw new Error(`${source} is not accepted`);
  expect(matchesPattern(pattern, match)).toBe(true);
  for (const other of others) expect(matchesPattern(pattern, other)).toBe(false);
});

test.each([
  ["(a)", "a|b", "*a", "+", "?", "{1}", "a{", "a}", "a{x}", "a{1,x}", "a{,2}", "a{2,1}", "a{0}"],
  ["a{0,0}", "a{501}", "a{1,501}", "a{501,}", "a{1000}", "a**", "a++", "a{1}{2}"],
  ["[", "[a", "[]", "[^]", "[[a]", "[b-a]", "[a-", "[a-\\d]", "[a-\\", "]", "a]", "a^b", "a$b"],
  ["\\", "\\b", "\\1", "\\x41", "\\p{L}", "\\constructor", "[\\q]"],
])("patterns of another syntax are refused: %j and its like", (...sources) => {
  for (const source of sources) expect([source, compilePattern(source)]).toEqual([source, null]);
});

test("a pattern has at most 5,000 states", () => {
  expect(compilePattern("a{500}".repeat(10))).not.toBeNull();
  expect(compilePattern(`${"a{500}".repeat(10)}a`)).toBeNull();
  // Without an upper limit a piece counts to its lower one.
  expect(compilePattern("a{499,}".repeat(10))).not.toBeNull();
  expect(compilePattern(`${"a{499,}".repeat(10)}a`)).toBeNull();
});

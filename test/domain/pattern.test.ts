import fc from "fast-check";
import { expect, test } from "vitest";
import { type CompiledPattern, compilePattern, matchesPattern } from "../../src/domain/pattern.ts";

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

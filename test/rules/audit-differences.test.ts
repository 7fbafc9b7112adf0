import { describe, expect, test } from "vitest";
import {
  differenceOf,
  fitted,
  isEmpty,
  joinDifferences,
} from "../../src/rules/audit/audit-difference.ts";
import { iso, time } from "./audit-fixtures.ts";

describe("the difference of two states of a record", () => {
  const fields = {
    shown: new Set(["name", "expires_at", "tags"]),
    silent: new Set(["id", "hash"]),
  };

  test.each<[string, object | null, object | null, object, object, readonly string[]]>([
    ["nothing", { name: "a" }, { name: "a" }, {}, {}, []],
    ["a shown value", { name: "a" }, { name: "b" }, { name: "a" }, { name: "b" }, []],
    ["a value that is new", {}, { name: "b" }, { name: null }, { name: "b" }, []],
    ["a value that is gone", { name: "a" }, {}, { name: "a" }, { name: null }, []],
    ["null for a value that was lacking", {}, { name: null }, {}, {}, []],
    ["a new record", null, { name: "b", phone: "1" }, {}, { name: "b" }, ["phone"]],
    ["a record that is gone", { name: "a" }, null, { name: "a" }, {}, []],
    ["a field that is not kept", { phone: "1" }, { phone: "2" }, {}, {}, ["phone"]],
    ["a silent field", { id: "1", hash: "x" }, { id: "2", hash: "y" }, {}, {}, []],
    ["the order of keys", { tags: { a: 1, b: 2 } }, { tags: { b: 2, a: 1 } }, {}, {}, []],
    [
      "the order of a list",
      { tags: [1, 2] },
      { tags: [2, 1] },
      { tags: [1, 2] },
      { tags: [2, 1] },
      [],
    ],
    [
      "a time",
      { expires_at: time },
      { expires_at: null },
      { expires_at: iso },
      { expires_at: null },
      [],
    ],
    ["a number that is no time", { name: 1 }, { name: 2 }, { name: 1 }, { name: 2 }, []],
    [
      "a time that is a text",
      { expires_at: "x" },
      {},
      { expires_at: "x" },
      { expires_at: null },
      [],
    ],
  ])("is %s", (_name, before, after, left, right, withheld) => {
    const difference = differenceOf(before, after, fields);
    expect(difference).toEqual({ before: left, after: right, withheld });
    const size = Object.keys(left).length + Object.keys(right).length + withheld.length;
    expect(isEmpty(difference)).toBe(size === 0);
  });

  test("of several records are one, whose names tell the record", () => {
    const one = differenceOf({ name: "a", phone: "1" }, { name: "b" }, fields, "one.");
    const other = differenceOf({ name: "c" }, { name: "d", phone: "2" }, fields, "other.");
    expect(joinDifferences([one, other])).toEqual({
      before: { "one.name": "a", "other.name": "c" },
      after: { "one.name": "b", "other.name": "d" },
      withheld: ["one.phone", "other.phone"],
    });
    expect(joinDifferences([])).toEqual({ before: {}, after: {}, withheld: [] });
  });

  const text = (bytes: number) => "x".repeat(bytes);
  // The names, quotes and commas of `["a","…","a",null]` take 16 bytes.
  const room = 16_384 - JSON.stringify(["a", "", "a", ""]).length;

  test.each([
    ["exactly 16 KiB", { a: text(room) }, { a: "" }, []],
    ["one byte more", { a: text(room + 1) }, { a: "" }, ["a"]],
    ["letters of two bytes", { a: "é".repeat(room / 2 + 1) }, { a: "" }, ["a"]],
    ["a new value that is too long", { a: "" }, { a: text(room + 1) }, ["a"]],
    ["the largest of three", { a: text(9_000), b: text(8_000), c: "1" }, {}, ["a"]],
    ["a field of one state alone", {}, { a: text(20_000), b: "1" }, ["a"]],
  ])("loses the values of its largest fields beyond 16 KiB: %s", (_name, before, after, cut) => {
    const without = (values: object) =>
      Object.fromEntries(Object.entries(values).filter(([name]) => !cut.includes(name)));
    expect(fitted({ before, after })).toEqual({
      before: without(before),
      after: without(after),
      cut,
    });
  });
});

import { expect, test } from "vitest";
import { readSourceProduct } from "../../src/input/source-records.ts";
import { ownArticle } from "../support/own-article.ts";

const record = ownArticle("tee");

test("a host's product is read with its own id, without fields of the host's own", () => {
  expect(readSourceProduct({ ...record, margin: 0.3 })).toEqual(record);
});

test.each(["2026-01-31T12:00:00Z", "2026-01-31 12:00:00", "2026-01-31"])(
  "a host's product with the time %s is refused by an error that shows a right one",
  (created_at) => {
    expect(() => readSourceProduct({ ...record, created_at })).toThrow(
      /whose created_at is wrong: write the time as `toISOString\(\)` does.*000Z$/,
    );
  },
);

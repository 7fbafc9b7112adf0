import { expect, test } from "vitest";
import { sourceFilesIn } from "./source-files.ts";

// `expect(await page.locator("button").isVisible())`, also over several lines.
const oneLook =
  /\bexpect\(\s*await [^;]*?\.(?:isVisible|isHidden|isChecked|count|innerText|textContent|inputValue|getAttribute|allTextContents|allInnerTexts|evaluate)\([^;]*?;/g;

test("no browser test judges a page by one look: its script may still be at work", () => {
  const judged = sourceFilesIn("test/browser").flatMap(({ path, text }) =>
    [...text.matchAll(oneLook)].map(([statement]) => `${path}: ${statement}`),
  );
  expect(judged, "expect.poll looks until it is so").toEqual([]);
});

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { style, styleHash } from "../../src/pages/sandbox-style.ts";

test("the content policy of the sandbox page allows the style that the page has", () => {
  const hash = createHash("sha256").update(style).digest("base64");
  expect(styleHash).toBe(`sha256-${hash}`);
});

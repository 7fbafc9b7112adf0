import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { anchorsOf, filesBelow, readText, root } from "../support/markdown.ts";
import { guides } from "./doc-blocks.ts";

const isMarkdown = (path: string): boolean => path.endsWith(".md");
const linked = [...guides, "CONTRIBUTING.md", ...filesBelow("examples").filter(isMarkdown)];

test("links between README, CONTRIBUTING, docs and examples lead somewhere", () => {
  for (const file of linked) {
    const links = readText(file).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g);

    for (const [, target = ""] of links) {
      const [path = "", anchor] = target.split("#");
      const full = path === "" ? join(root, file) : resolve(root, dirname(file), path);
      const place = relative(root, full);

      expect(existsSync(full), `${file} → ${target}`).toBe(true);
      if (anchor && isMarkdown(full))
        expect(anchorsOf(readText(place)), `${file} → ${place}#${anchor}`).toContain(anchor);
    }
  }
});

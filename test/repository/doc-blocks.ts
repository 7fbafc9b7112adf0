import { join } from "node:path";
import { filesBelow, readText, root } from "../support/markdown.ts";

/** The README and the guides, whose blocks of TypeScript must compile. */
export const guides = ["README.md", ...filesBelow("docs").filter((path) => path.endsWith(".md"))];

interface Block {
  /** `README.md:12`: where the block starts. */
  readonly place: string;
  readonly path: string;
  readonly text: string;
}

export const blocks: readonly Block[] = guides.flatMap((file) => {
  const text = readText(file);

  return [...text.matchAll(/^```(tsx?)\n([\s\S]*?)^```/gm)].map((match) => {
    const line = text.slice(0, match.index).split("\n").length;
    // The export makes each block a module, so that its declarations are its own.
    const module = `${match[2] ?? ""}\nexport {};\n`;

    return {
      place: `${file}:${line}`,
      path: join(root, `test/repository/${file.replaceAll("/", "-")}-${line}.block.${match[1]}`),
      text: module,
    };
  });
});

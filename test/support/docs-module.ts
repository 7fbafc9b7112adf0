import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readText, root } from "./markdown.ts";

/**
 * Imports the TypeScript block of a guide that exports `name`, so that a test runs exactly what the
 * guide shows.
 */
export async function importFromDocs<Module>(guide: string, name: string): Promise<Module> {
  const blocks = [...readText(guide).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, text]) => text);
  const block = blocks.find((text) => text?.includes(` function ${name}(`));
  if (block === undefined) throw new Error(`${guide} has no block that exports ${name}.`);

  // It lies inside the repository, where its imports are resolved as those of the tests, and in no
  // folder that another test reads.
  const data = join(root, ".data");
  mkdirSync(data, { recursive: true });
  const folder = mkdtempSync(join(data, "docs-"));
  try {
    const file = join(folder, "block.ts");
    writeFileSync(file, block);
    return await import(/* @vite-ignore */ file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

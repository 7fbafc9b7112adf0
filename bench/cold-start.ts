import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { alternate } from "./measure.ts";
import type { Row } from "./results.ts";

const dist = join(import.meta.dirname, "../dist/index.js");

/** Import and createStorefront without a database, against importing zod and jose alone; the built package. As starts per second. */
export async function benchColdStart({ rounds }: { readonly rounds: number }): Promise<Row[]> {
  if (!existsSync(dist)) throw new Error("Build first: npm run build.");
  const timed = (code: string) => async (): Promise<number> => {
    const script = `const begin = performance.now(); ${code}; process.stdout.write(String(performance.now() - begin));`;
    return (
      1000 / Number(execFileSync(process.execPath, ["--input-type=module", "-e", script], { cwd: join(dist, "../.."), encoding: "utf8" }))
    );
  };
  const options = `{ storage: memoryStorage(), checkout: { baseUrl: "https://p.example.com" }, docsUrl: "https://d.example.com" }`;
  const result = await alternate(rounds * 3, {
    vitrine: timed(`const { createStorefront, memoryStorage } = await import(${JSON.stringify(dist)}); createStorefront(${options})`),
    "zod and jose": timed(`await import("zod"); await import("jose")`),
  });
  return [{ work: "import and createStorefront (starts)", perSecond: result, base: "zod and jose" }];
}

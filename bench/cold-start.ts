import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { alternate } from "./measure.ts";
import { atLeast, type Options, type Row } from "./row.ts";

const dist = join(import.meta.dirname, "../dist/index.js");

/** Import and createStorefront without a database, against importing zod and jose alone; the built package. As starts per second. */
export async function benchColdStart({ rounds }: Options): Promise<Row[]> {
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
  // Of ours at most 1.5 times the milliseconds: at least two thirds of the starts.
  const targets = atLeast("vitrine", { "zod and jose": 1 / 1.5 });
  return [{ work: "import and createStorefront (starts)", unit: "per second", values: result, base: "zod and jose", targets }];
}

import { execFileSync } from "node:child_process";
import { builtPackage } from "./dist.ts";
import { alternate } from "./measure.ts";
import type { Options, Row } from "./row.ts";

/**
 * Times the import and createStorefront of the built package without a database, against importing
 * zod and jose alone. Each time is a process of its own.
 */
export async function benchColdStart({ rounds }: Options): Promise<Row[]> {
  const root = builtPackage();
  const timed = (code: string) => async (): Promise<number> => {
    const script = `const begin = performance.now(); ${code};
      process.stdout.write(String(performance.now() - begin));`;
    return Number(
      execFileSync(process.execPath, ["--input-type=module", "-e", script], {
        cwd: root,
        encoding: "utf8",
      }),
    );
  };
  const options = `{
    storage: memoryStorage(),
    checkout: { baseUrl: "https://p.example.com" },
    docsUrl: "https://d.example.com",
  }`;
  const measured = await alternate(rounds * 3, {
    vitrine: timed(
      `const { createStorefront, memoryStorage } = await import("vitrine");
        createStorefront(${options})`,
    ),
    "zod and jose": timed(`await import("zod"); await import("jose")`),
  });
  const targets = [{ side: "vitrine", base: "zod and jose", atMost: 1.5 }];
  const note =
    "The package reads 52 files at its import, as its subpaths share them. In one file, which the " +
    "subpaths could not share, the same code takes a third less time.";
  const work = "import and createStorefront";
  return [{ work, unit: "ms", ...measured, base: "zod and jose", targets, note }];
}

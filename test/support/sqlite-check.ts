import { loadDriver } from "../../adapters/storage/sqlite-driver.ts";

/**
 * The global setup of Vitest: most test files need SQLite. Without a driver the run
 * ends here, with one sentence in place of a failure of each test.
 */
export function setup(): void {
  try {
    loadDriver();
  } catch (error) {
    console.error(`No test was run. ${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

import { loadDriver } from "../../adapters/storage/sqlite-driver.ts";

/**
 * The global setup of Vitest: most test files need SQLite. Without a driver the run
 * ends here, with the sentence that says what to install.
 */
export function setup(): void {
  loadDriver();
}

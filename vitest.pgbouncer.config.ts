import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The tests that need PgBouncer: run by CI, which installs it. */
export default defineConfig({
  ...base,
  test: { ...base.test, include: ["test/pgbouncer/**/*.test.ts"], exclude: [] },
});

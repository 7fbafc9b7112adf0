import { defineConfig } from "vitest/config";
import base from "./vitest.config.ts";

/** The tests that need Chromium or nginx: run by CI, which installs them. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/{browser,proxy}/**/*.test.ts"],
    exclude: [],
    globalSetup: [],
  },
});

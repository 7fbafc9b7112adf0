import { expect, test } from "vitest";
import { judgeDriver } from "../../adapters/storage/sqlite-driver.ts";

test.each([
  ["12.11.1", "20.19.0", "9", {}],
  ["12.11.1", "24.18.0", "10", {}],
  ["13.2.0", "24.21.0", "10", {}],
  ["13.2.0", "20.19.0", "9", { fault: expect.stringContaining("install better-sqlite3@12") }],
  [
    "12.11.1",
    "24.19.0",
    "10",
    { warning: expect.stringContaining("npm install better-sqlite3@13") },
  ],
  [
    "12.11.1",
    "26.0.0",
    "10",
    { warning: expect.stringContaining("npm install better-sqlite3@13") },
  ],
])(
  "better-sqlite3 %s on Node %s: what does not go together is told at start-up",
  (version, node, napi, told) => {
    expect(judgeDriver(version, { node, napi })).toEqual(told);
  },
);

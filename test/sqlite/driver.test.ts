import { expect, test } from "vitest";
import { judgeDriver, remedyFor } from "../../adapters/storage/sqlite-driver.ts";

test.each([
  ["12.11.1", "20.19.0", "9", null],
  ["12.11.1", "24.18.0", "10", null],
  ["13.2.0", "24.21.0", "10", null],
  ["13.2.0", "20.19.0", "9", "better-sqlite3 13.2.0 needs Node 22 or later"],
  ["12.11.1", "24.19.0", "10", "better-sqlite3 12.11.1 can abort the process on Node 24.19.0"],
  ["12.11.1", "26.0.0", "10", "better-sqlite3 12.11.1 can abort the process on Node 26.0.0"],
])("better-sqlite3 %s on Node %s is used only where it works", (version, node, napi, fault) => {
  expect(judgeDriver(version, { node, napi })).toBe(fault);
});

test.each([
  [null, "20.19.0", "9", "npm install better-sqlite3@12"],
  [null, "22.10.0", "10", "npm install better-sqlite3"],
  ["13.2.0", "20.19.0", "9", "npm install better-sqlite3@12"],
  ["12.11.1", "24.19.0", "10", "npm install better-sqlite3"],
  ["12.11.1", "20.19.0", "9", "npm rebuild better-sqlite3"],
])(
  "where better-sqlite3 %s does not load on Node %s, a command mends it",
  (version, node, napi, command) => {
    expect(remedyFor(version, { node, napi })).toBe(command);
  },
);

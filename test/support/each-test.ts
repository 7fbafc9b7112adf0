// Vitest runs this file before each test file. Test files share a process and its modules, so a
// hook that a shared module registers itself would run for the first test file alone.
import { afterEach } from "vitest";
import { runAfterTest } from "./after-test.ts";

afterEach(runAfterTest);

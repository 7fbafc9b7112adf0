// Runs before each test file. Files share a process and its modules: a hook that a shared module adds itself would count for the first file alone.
import { afterEach } from "vitest";
import { expectNothingWrong } from "./shop.ts";
import { closeStorages } from "./storages.ts";

afterEach(closeStorages);
afterEach(expectNothingWrong);

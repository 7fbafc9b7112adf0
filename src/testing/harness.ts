import { requireOptions } from "../input/option-error.ts";
import type { TestShop, TestShopOptions } from "./harness-types.ts";

/**
 * Opens a shop on memory storage and the sandbox gateway, unless the options
 * replace them.
 */
export async function createTestShop(options: TestShopOptions = {}): Promise<TestShop> {
  requireOptions(options, "createTestShop");
  // Who runs a suite of cases has no use for a whole shop: it would be half of what they load.
  const { openShop } = await import("./open-shop.ts");
  return openShop(options);
}

import { storefront } from "./shop.ts";

/**
 * Opens the storefront, so that the tables are there when the first buyer comes. A wrong setting
 * ends the process: Next.js would go on, and answer every request with 500.
 */
export async function start(): Promise<void> {
  try {
    await storefront();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/**
 * Next.js calls this once, before the server takes a request, so that the tables are there when
 * the first buyer comes. A wrong setting ends the start: Next.js would go on and answer 500.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { storefront } = await import("./shop.ts");

  try {
    await storefront();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

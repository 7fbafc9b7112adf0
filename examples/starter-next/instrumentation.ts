/**
 * Next.js calls this once, before the server takes a request: a wrong setting shows at the
 * start, and the tables are there when the first buyer comes.
 */
export async function register(): Promise<void> {
  if (process.env["NEXT_RUNTIME"] !== "nodejs") return;
  const { storefront } = await import("./shop.ts");
  await storefront();
}

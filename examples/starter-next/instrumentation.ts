/** Next.js calls this once, before the server takes a request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME === "nodejs") {
    const { start } = await import("./start.ts");
    await start();
  }
}

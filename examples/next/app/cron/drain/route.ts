import { openShop } from "../../../shop.ts";

export const maxDuration = 40; // The platform gives this route this many seconds.

/** Runs maintenance and sends the webhooks that are due. A scheduler calls it every minute. */
export async function GET(request: Request): Promise<Response> {
  const secret = process.env["CRON_SECRET"];
  if (!secret || request.headers.get("authorization") !== `Bearer ${secret}`)
    return new Response(null, { status: 401 });
  const storefront = await openShop();
  const { signal } = request;
  await storefront.runMaintenance({ maxDurationMs: 10_000, signal });
  return Response.json(await storefront.drainWebhooks({ maxDurationMs: 25_000, signal }));
}

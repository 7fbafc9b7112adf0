import { openShop } from "../../../shop.ts";

export const maxDuration = 30; // seconds that the platform gives this route

/** Called by a scheduler every minute; sends the webhooks that are due. */
export async function GET(request: Request): Promise<Response> {
  const secret = process.env["CRON_SECRET"];
  if (!secret || request.headers.get("authorization") !== `Bearer ${secret}`)
    return new Response(null, { status: 401 });
  const storefront = await openShop();
  return Response.json(
    await storefront.drainWebhooks({ maxDurationMs: 25_000, signal: request.signal }),
  );
}

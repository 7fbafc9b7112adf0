import { workOfAMinute } from "../../work.ts";

/** The platform gives this route this many seconds. */
export const maxDuration = 60;

/** A scheduler calls this every minute with `Authorization: Bearer $CRON_SECRET`. */
export async function GET(request: Request): Promise<Response> {
  const secret = process.env["CRON_SECRET"];
  if (!secret || request.headers.get("authorization") !== `Bearer ${secret}`)
    return new Response(null, { status: 401 });

  return Response.json(await workOfAMinute());
}

import { verifyWebhook } from "vitrine/webhooks";
import { release } from "../../releases.ts";

export async function POST(request: Request): Promise<Response> {
  const rawBody = await request.arrayBuffer();
  const header = request.headers.get("x-service-signature");
  const verdict = await verifyWebhook({
    rawBody,
    header,
    secret: process.env["WEBHOOK_SECRET"] ?? "",
  });
  if (!verdict.ok) return new Response(verdict.reason, { status: 400 });
  const { event } = verdict;
  if (event.type === "order.paid") {
    const { number, items } = event.data.order;
    release({
      event_id: event.id,
      order_number: number,
      items: items.map((item) => item.name).join(", "),
    });
  }
  return new Response(null, { status: 204 });
}

import { createServer } from "node:http";
import { verifyWebhook } from "vitrine/webhooks";

// It is the `whsec_…` that is shown once, when the endpoint is made.
const secret = process.env.WEBHOOK_SECRET ?? "";
// In production this is a unique column of your database.
const released = new Set<string>();

createServer(async (req, res) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of req) chunks.push(chunk);
  // The signature is made over these bytes: a body that was parsed and written again differs.
  const rawBody = Buffer.concat(chunks);
  const verdict = await verifyWebhook({
    rawBody,
    header: req.headers["x-service-signature"],
    secret,
  });
  if (!verdict.ok) return void res.writeHead(400).end(verdict.reason);
  const { event } = verdict;
  if (event.type === "order.paid" && !released.has(event.id)) {
    console.log(
      `Order ${event.data.order.number} is paid:`,
      event.data.order.items.map((item) => item.name).join(", "),
    );
    // The event is marked after the work: a crash after an earlier mark would lose the order.
    released.add(event.id);
  }
  // After any other answer than 2xx the event is sent again.
  res.writeHead(204).end();
}).listen(process.env.PORT ?? 3001);

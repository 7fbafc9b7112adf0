import { createServer } from "node:http";
import { verifyWebhook } from "vitrine/webhooks";

const secret = process.env.WEBHOOK_SECRET ?? ""; // whsec_…, shown once when the endpoint was made
const released = new Set<string>(); // in production: a unique column of your database

createServer(async (req, res) => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const rawBody = Buffer.concat(chunks); // the bytes as they came: a body that was parsed and written anew has another signature
  const verdict = await verifyWebhook({
    rawBody,
    header: req.headers["x-service-signature"],
    secret,
  });
  if (!verdict.ok) return void res.writeHead(400).end(verdict.reason);
  const { event } = verdict;
  if (event.type === "order.paid" && !released.has(event.id)) {
    console.log(
      `Order ${event.data.order.number} is paid: ${event.data.order.items.map((item) => item.name).join(", ")}`,
    );
    released.add(event.id); // after the work: marked before it, a crash would lose the order
  }
  res.writeHead(204).end(); // any 2xx; else the event comes again
}).listen(process.env.PORT ?? 3001);

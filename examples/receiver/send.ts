// Sends one signed event, as the service does, to try a receiver with.
import { signWebhook } from "vitrine/webhooks";

const order = {
  id: "ord_1",
  number: 1,
  status: "paid",
  items: [{ name: "Coffee", quantity: 1 }],
  customer: null,
};
const event = {
  id: "evt_1",
  type: "order.paid",
  livemode: false,
  created_at: new Date().toISOString(),
  data: { order },
};
const rawBody = JSON.stringify(event);
const header = await signWebhook({
  rawBody,
  secret: process.env.WEBHOOK_SECRET ?? "",
  timestamp: Math.floor(Date.now() / 1000),
});
const headers = { "content-type": "application/json", "x-service-signature": header };
const answer = await fetch(`http://localhost:${process.env.PORT ?? 3001}`, {
  method: "POST",
  headers,
  body: rawBody,
});
console.log(answer.status, await answer.text());

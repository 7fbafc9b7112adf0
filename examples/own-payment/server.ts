import { createHash, randomUUID } from "node:crypto";
import express from "express";
import { createStorefront } from "vitrine";
import { toExpress } from "vitrine/express";
import { sqliteStorage } from "vitrine/sqlite";
import { nodeTransport } from "vitrine/transport";
import { openFirstStore } from "../first-store.ts";

const port = Number(process.env.PORT ?? 3000);
const base = `http://localhost:${port}`;
// In production these are your payment tables. Here it is the payment id of each session.
const payments = new Map<string, string>();

const storefront = createStorefront({
  storage: sqliteStorage(process.env.DATABASE ?? "shop.sqlite"),
  publicUrl: base,
  // Returns the address of your own payment page, once for each session. A retry has the same `id`.
  checkout: {
    url({ id, store_id, livemode, amount_total, currency }) {
      payments.set(id, payments.get(id) ?? randomUUID());
      const query = new URLSearchParams({
        session: id,
        store: store_id,
        live: String(livemode),
        amount: String(amount_total),
        currency,
      });
      return `${base}/my-checkout?${query}`;
    },
  },
  transport: nodeTransport(),
  sealKey: createHash("sha256")
    .update(process.env.SECRET ?? "for development only")
    .digest(),
});
await storefront.migrate();

const first = await openFirstStore(storefront, { name: "Own payment", base });

const app = express();
app.use(toExpress(storefront));
app.get("/my-checkout", (request, response) => {
  const action = `/my-checkout${new URL(request.originalUrl, base).search}`.replace(/"/g, "&quot;");
  response
    .type("html")
    .send(
      `<h1>Your own payment page</h1><form method="post" action="${action}"><button>Pay</button></form>`,
    );
});
app.post("/my-checkout", async (request, response) => {
  const { session = "", store = "", live } = request.query as Record<string, string>;
  // Your payment code charges the buyer here and reports what it charged. The amount must be that of
  // the session, whatever the page's address says.
  const charged = {
    amount: Number(request.query["amount"]),
    currency: String(request.query["currency"]),
  };
  const order = await storefront.checkout.complete(session, {
    store_id: store,
    livemode: live === "true",
    reference: payments.get(session) ?? session, // A repeat with this reference changes nothing.
    status: "paid",
    payment_method: { type: "pix" },
    ...charged,
  });
  response.json({ order_id: order.id, number: order.number, status: order.status });
});
app.listen(port, (error) => {
  if (error) throw error;
  console.log(first || `Listening on ${base}`);
});

setInterval(() => void storefront.runMaintenance().catch(console.error), 60_000);
await storefront.runWebhookLoop({ signal: new AbortController().signal });

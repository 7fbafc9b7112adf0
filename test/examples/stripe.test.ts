import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { payOnPage, testCards } from "../providers/stripe/buyer.ts";
import { secretKey, startFakeStripe, webhookSecret } from "../providers/stripe/fake-stripe.ts";
import { freshFolder } from "../support/demo.ts";
import { commandsOf, type Running, runLine } from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { payByForm } from "../support/pay-form.ts";

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

test("examples/stripe takes a card at a fake of Stripe, by its README", async () => {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const fake = await startFakeStripe({
    deliver: async ({ body, signature }) => {
      const headers = { "stripe-signature": signature };
      const address = `${base}/notifications/gateways/stripe/test`;
      return (await fetch(address, { method: "POST", headers, body })).status;
    },
  });
  cleanups.push(() => fake.close());

  const [line = ""] = commandsOf("examples/stripe");
  const example: Running = runLine(line, {
    PORT: String(port),
    DATABASE: join(freshFolder(), "shop.sqlite"),
    STRIPE_API: `http://127.0.0.1:${fake.port}`,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  });
  cleanups.push(() => example.stop());
  await example.until("product_id");
  const { key, product_id, return_url } = JSON.parse(example.output());

  const answer = await fetch(`${base}/v1/checkout/sessions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": "1",
    },
    body: JSON.stringify({
      items: [{ product_id, quantity: 1 }],
      success_url: return_url,
      cancel_url: return_url,
    }),
  });
  const { data } = await answer.json();
  const sent = await payByForm(data.checkout_url);
  expect(sent.status).toBe(303);
  const [session] = fake.books().sessions.values();
  expect(sent.headers.get("location")).toBe(session?.url);

  if (session) payOnPage(fake.books(), session, testCards.succeeds);
  await fake.outbox.deliver();
  expect(fake.outbox.waiting).toEqual([]);
  expect(await (await fetch(data.checkout_url)).text()).toContain("Payment received");
});

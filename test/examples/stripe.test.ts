import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { payOnPage, testCards } from "../providers/stripe/buyer.ts";
import { secretKey, startFakeStripe, webhookSecret } from "../providers/stripe/fake-stripe.ts";
import { freshFolder } from "../support/demo.ts";
import {
  beginPurchase,
  commandsOf,
  type Running,
  reachable,
  runGuide,
  runLine,
} from "../support/example.ts";
import { freePort } from "../support/free-port.ts";
import { payByForm } from "../support/pay-form.ts";

/** A fake that brings its messages to the host, as the Stripe CLI does. */
const openFake = async () => {
  const port = await freePort();
  const base = `http://localhost:${port}`;
  const fake = await startFakeStripe({
    deliver: async ({ body, signature }) => {
      const headers = { "stripe-signature": signature };
      const address = `${base}/notifications/gateways/stripe/test`;
      return (await fetch(address, { method: "POST", headers, body })).status;
    },
  });
  onTestFinished(() => fake.close());
  const env = {
    PORT: String(port),
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  };
  return { base, fake, env };
};
type Opened = Awaited<ReturnType<typeof openFake>>;

/** Buys at the host that has started, with a card on the fake's page. */
async function buy({ base, fake }: Opened, host: Running): Promise<void> {
  onTestFinished(() => host.stop());
  await host.until("product_id");
  await reachable(base);
  const checkout = await beginPurchase(base, JSON.parse(host.output()));
  const sent = await payByForm(checkout);
  expect(sent.status).toBe(303);
  const [session] = fake.books().sessions.values();
  expect(sent.headers.get("location")).toBe(session?.url);

  if (session) payOnPage(fake.books(), session, testCards.succeeds);
  await fake.outbox.deliver();
  expect(fake.outbox.waiting).toEqual([]);
  expect(await (await fetch(checkout)).text()).toContain("Payment received");
}

test("examples/stripe takes a card at a fake of Stripe, by its README", async () => {
  const opened = await openFake();
  const [line = ""] = commandsOf("examples/stripe");
  const host = runLine(line, {
    ...opened.env,
    DATABASE: join(freshFolder(), "shop.sqlite"),
    STRIPE_API: `http://127.0.0.1:${opened.fake.port}`,
  });
  await buy(opened, host);
});

test("the server of docs/stripe.md takes a card as it stands there", async () => {
  const opened = await openFake();
  const options = JSON.stringify({ host: "127.0.0.1", port: opened.fake.port, protocol: "http" });
  const made = "new Stripe(STRIPE_SECRET_KEY)";
  const env = { ...opened.env, SEAL_KEY: Buffer.alloc(32, 3).toString("base64") };
  const guide = await runGuide("docs/stripe.md", env, (server) => {
    expect(server).toContain(made);
    return server.replace(made, `new Stripe(STRIPE_SECRET_KEY, ${options})`);
  });
  await buy(opened, guide.start());
});

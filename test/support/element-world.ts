import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { type CheckoutPageOptions, createStorefront, memoryStorage } from "vitrine";
import type { PaymentElement } from "vitrine/gateway";
import { toNode } from "vitrine/node";
import { stripeGateway } from "vitrine/stripe";
import { elementAt, publishableKey } from "../providers/stripe/element.ts";
import { startFakeStripe, webhookSecret } from "../providers/stripe/fake-stripe.ts";

export interface ElementWorldOptions {
  readonly checkoutPage?: CheckoutPageOptions;
  /** Laid over the element of the gateway, which the fake serves. */
  readonly element?: Partial<PaymentElement>;
  /** The flow of the gateway, `element` by default. */
  readonly flow?: "element" | "checkout";
  /** Sells a month, with a trial of so many days. */
  readonly trialDays?: number;
}

/** A store on http://localhost whose cards are paid by the element of the fake of Stripe. */
export async function openElementWorld(options: ElementWorldOptions = {}) {
  let serve: RequestListener = (_req, res) => void res.end();
  const server = createServer((req, res) => serve(req, res)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const asked: string[] = [];
  const errors: unknown[] = [];

  const fake = await startFakeStripe({
    async deliver({ body, signature }) {
      const answer = await storefront.notifications.handler(
        new Request(`${origin}/notifications/gateways/stripe/test`, {
          method: "POST",
          headers: { "stripe-signature": signature },
          body,
        }),
      );
      return answer.status;
    },
  });
  const provider = `http://127.0.0.1:${fake.port}`;
  const { flow = "element", trialDays: trial_days } = options;
  const gateway = stripeGateway({
    stripe: fake.client,
    webhookSecret,
    livemode: false,
    flow,
    publishableKey,
  });
  const element = { ...elementAt(provider), ...options.element };
  const storefront = createStorefront({
    storage: memoryStorage(),
    publicUrl: origin,
    checkout: { baseUrl: `${origin}/pay` },
    checkoutPage: options.checkoutPage,
    gateways: [flow === "element" ? { ...gateway, element } : gateway],
    sealKey: new Uint8Array(32).fill(3),
    limits: { checkout: null },
    onError: (error) => void errors.push(error),
  });
  const page = toNode(storefront.checkoutPage);
  serve = (req: IncomingMessage, res) => {
    asked.push(req.url ?? "");
    page(req, res, () => {
      res.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      res.end(`<!doctype html><html lang="en"><title>Thanks</title><h1>Thank you</h1>`);
    });
  };

  const { owner } = storefront;
  const store = await owner.stores.create({
    name: "Armazém Vitrine",
    currency: "BRL",
    country: "BR",
    locale: "pt-BR",
  });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.returnUrls.add(store.id, `${origin}/thanks`);
  const bought = trial_days === undefined ? {} : { recurring: monthly(trial_days) };
  const coffee = { name: "Café", price: 9_800, currency: "BRL", ...bought };
  const product = await owner.products.create(store.id, coffee);
  const method = (type: "card" | "boleto", name: string) =>
    owner.paymentMethods.create(store.id, {
      type,
      name,
      currencies: ["BRL"],
      gateway: "stripe",
      supports_recurring: type === "card",
    });
  const card = await method("card", "Cartão");
  if (trial_days === undefined) await method("boleto", "Boleto");
  const { key } = await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" });
  let sessions = 0;

  return {
    storefront,
    owner,
    store,
    card,
    fake,
    origin,
    provider,
    asked,
    errors,
    /** Makes a session of one piece. */
    async session() {
      sessions += 1;
      const answer = await storefront.handler(
        new Request(`${origin}/v1/checkout/sessions`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${key}`,
            "content-type": "application/json",
            "idempotency-key": `session-${sessions}`,
          },
          body: JSON.stringify({
            items: [{ product_id: product.id, quantity: 1 }],
            success_url: `${origin}/thanks`,
            cancel_url: `${origin}/thanks`,
          }),
        }),
      );
      const { data } = (await answer.json()) as { data: { id: string; checkout_url: string } };
      const token = data.checkout_url.split("/").at(-1) ?? "";
      return { id: data.id, url: data.checkout_url, token };
    },
    /** The order of a session. */
    order: async (token: string) => (await storefront.checkout.view(token)).order,
    async close() {
      server.close();
      server.closeAllConnections();
      await storefront.close();
      await fake.close();
    },
  };
}

const monthly = (trial_days: number) => ({
  interval: "month" as const,
  interval_count: 1,
  trial_days,
});

export type ElementWorld = Awaited<ReturnType<typeof openElementWorld>>;

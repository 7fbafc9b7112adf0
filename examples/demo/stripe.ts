import { type Storefront, sandboxGateway } from "vitrine";
import { stripeGateway } from "vitrine/stripe";
import { elementAt, publishableKey } from "../../test/providers/stripe/element.ts";
import { startFakeStripe, webhookSecret } from "../../test/providers/stripe/fake-stripe.ts";
import type { DemoProvider } from "./gateways.ts";

const messagesPath = "/notifications/gateways/stripe/test";
const pagesPath = "/stripe";
const maxFormBytes = 262_144;
const deliverEveryMs = 300;

/**
 * Takes cards, boleto and Pix at a fake of Stripe. Cards are paid on the checkout page, by a fake
 * of Stripe's element. The client, the gateway and the signed messages over HTTP are real, and no
 * account is needed. Its hosted pages are shown below `/stripe`.
 */
export async function openFakeStripe(origin: string): Promise<DemoProvider> {
  const fake = await startFakeStripe({
    pageOrigin: `${origin}${pagesPath}`,
    async deliver({ body, signature }) {
      const headers = { "stripe-signature": signature, "content-type": "application/json" };
      return (await fetch(`${origin}${messagesPath}`, { method: "POST", headers, body })).status;
    },
  });
  const gateway = {
    ...stripeGateway({
      stripe: fake.client,
      webhookSecret,
      livemode: false,
      flow: "element",
      publishableKey,
    }),
    // The one thing that leads to the fake besides the client: where the script comes from.
    element: elementAt(`http://127.0.0.1:${fake.port}`),
  };
  let shop: Storefront | null = null;
  let timer: ReturnType<typeof setInterval> | undefined;

  return {
    gateways: [sandboxGateway(), gateway],
    async start(storefront, store_ids) {
      shop = storefront;
      for (const store_id of store_ids) await offerMethods(storefront, store_id);
      timer = setInterval(() => void fake.outbox.deliver(), deliverEveryMs);
    },
    async serve(request) {
      const reply = await shop?.notifications.serve(request);
      if (reply) return reply;

      const [path = "/"] = request.target.split("?", 1);
      if (!path.startsWith(`${pagesPath}/`)) return null;

      const sent = request.method === "POST" ? await request.body(maxFormBytes) : null;
      const text = sent instanceof Uint8Array ? new TextDecoder().decode(sent) : "";
      const { method } = request;
      const form = new URLSearchParams(text);
      return fake.page({ method, path: path.slice(pagesPath.length), form });
    },
    async close() {
      clearInterval(timer);
      await fake.close();
    },
  };
}

const methods = [
  { type: "card", name: "Card (fake of Stripe)", settlement: "instant" },
  { type: "boleto", name: "Boleto (fake of Stripe)", settlement: "delayed" },
  { type: "pix", name: "Pix (fake of Stripe)", settlement: "instant" },
] as const;

async function offerMethods({ owner }: Storefront, store_id: string): Promise<void> {
  const known = (await owner.paymentMethods.list(store_id)).map(({ name }) => name);
  for (const [at, method] of methods.entries()) {
    if (known.includes(method.name)) continue;
    const place = { currencies: ["BRL"], gateway: "stripe", position: 10 + at };
    await owner.paymentMethods.create(store_id, { ...method, ...place });
  }
}

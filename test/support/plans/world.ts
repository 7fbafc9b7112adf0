import type { Storage } from "vitrine";
import { pixGateway } from "vitrine/pix";
import { stripeGateway } from "vitrine/stripe";
import { shuffledWithRepeats } from "../../providers/outbox.ts";
import { type FakeRecurringCharge, settleDebits } from "../../providers/pix/automatic/books.ts";
import { callbackSecret, type FakeBank } from "../../providers/pix/fake-bank.ts";
import { judgedBank } from "../../providers/pix/setup.ts";
import { type FakeStripe, webhookSecret } from "../../providers/stripe/fake-stripe.ts";
import { judgedStripe } from "../../providers/stripe/setup.ts";
import type { CrashJob } from "../crash/job.ts";
import { type Mortals, startMortals } from "../crash/mortals.ts";
import { type Notify, notifier } from "../notify.ts";
import { createShop, type Shop } from "../shop.ts";

export interface PlansDatabase extends Pick<CrashJob, "database" | "schema" | "distribute"> {
  readonly storage: Storage;
}

/** A shop with both fakes, which processes maintain that are killed. */
export interface World {
  readonly shop: Shop;
  readonly where: { readonly store_id: string; readonly livemode: false };
  readonly stripe: FakeStripe;
  readonly bank: FakeBank;
  readonly mortals: Mortals;
  readonly method_ids: Readonly<Record<"card" | "pix", string>>;
  now(): number;
  setTime(time: number): void;
  /** Each says whether a charge finds money, or null where it does not know the buyer. */
  readonly moneyOf: ((charge: FakeRecurringCharge) => boolean | null)[];
  /** Each is done at every noon until it gives true. */
  readonly atNoon: (() => boolean)[];
  /** Has the providers send their messages, and processes maintain until one survives it. */
  maintain(): Promise<void>;
  end(): Promise<void>;
}

const currencies = { card: ["BRL", "USD", "EUR", "JPY", "KWD"], pix: ["BRL"] } as const;

export const timeZone = "America/Sao_Paulo";

export async function openWorld(
  database: PlansDatabase,
  { startAt, averagePoints }: { readonly startAt: number; readonly averagePoints: number },
): Promise<World> {
  let offset = startAt - Date.now();
  const now = (): number => Date.now() + offset;
  // A host that fails is sent the message again.
  const notify: Notify = async (message) =>
    Math.random() < 0.1 ? 500 : notifier(() => shop.storefront)(message);
  const stripe = await judgedStripe({
    now,
    deliver: ({ body, signature }) =>
      notify({ gateway: "stripe", body, headers: { "stripe-signature": signature } }),
  });
  const bank = await judgedBank({
    now,
    deliver: (message) => notify({ gateway: "pix", ...message }),
  });
  const { baseUrl } = bank;
  const pix = {
    ...{ baseUrl, account: bank.account(), automatic: {} },
    callback: { secret: callbackSecret },
  };

  const { storage, ...place } = database;
  await storage.migrate();
  const shop = await createShop(storage, {
    now,
    limits: { checkout: null },
    gateways: [
      stripeGateway({ stripe: stripe.client, webhookSecret, livemode: false, now }),
      pixGateway({ ...pix, livemode: false, now }),
    ],
  });
  const { owner, a } = shop;
  await owner.stores.update(a.id, { timezone: timeZone });
  await owner.endpoints.create({ store_id: a.id, livemode: false, url: "https://a.example/hooks" });
  const offer = async (type: "card" | "pix", gateway: string): Promise<string> => {
    const method = {
      type,
      name: type,
      currencies: [...currencies[type]],
      gateway,
      supports_recurring: true,
    };
    return (await owner.paymentMethods.create(a.id, method)).id;
  };
  const method_ids = { card: await offer("card", "stripe"), pix: await offer("pix", "pix") };
  const job = { ...place, store_id: a.id, method_ids: [], provider: { stripe: stripe.port, pix } };
  const mortals = await startMortals("test/support/plans/worker.ts", job, averagePoints);

  const moneyOf: World["moneyOf"] = [];
  bank.books().hasMoney = (charge) => moneyOf.every((has) => has(charge) !== false);
  const deliver = async (): Promise<void> => {
    settleDebits(bank.books());
    await bank.outbox.deliver(shuffledWithRepeats);
    await stripe.outbox.deliver(shuffledWithRepeats);
  };

  return {
    ...{ shop, stripe, bank, mortals, method_ids, now, moneyOf },
    where: { store_id: a.id, livemode: false },
    atNoon: [],
    setTime(time) {
      offset = time - Date.now();
    },
    async maintain() {
      await deliver();
      while (await mortals.run({ work: "maintain", offset })) await deliver();
      await deliver();
    },
    async end() {
      mortals.end();
      await shop.storefront.close();
    },
  };
}

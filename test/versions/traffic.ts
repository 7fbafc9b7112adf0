import { setTimeout as pause } from "node:timers/promises";
import { type Age, ages, type Fleet, Refused } from "./fleet.ts";

/** A store in test mode whose owner and buyers may reach it through either version. */
export interface Store {
  readonly fleet: Fleet;
  readonly where: { readonly store_id: string; readonly livemode: false };
  readonly key: string;
  readonly method_id: string;
  /** The goods by what is said of them. */
  readonly products: Readonly<Record<"plain" | "counted" | "monthly", string>>;
  readonly secret: string;
}

/** What a version has acknowledged of an order. */
export interface Sale {
  readonly id: string;
  readonly kind: Kind;
  readonly session: Age;
  readonly payment: Age;
  paid: boolean;
  readonly coupon: boolean;
  refunded: number;
  dispute: "open" | "won" | "lost" | null;
}

const kinds = ["plain", "coupon", "counted", "monthly", "later", "declined"] as const;
export type Kind = (typeof kinds)[number];

const returnUrl = "https://shop.example.com/ok";
/** The pieces of the counted product at the beginning. */
export const stock = 10_000;
const prices = { plain: 1000, counted: 700, monthly: 5000 };

/**
 * Opens a store through the old version, as its owner did before the deployment. Without a target
 * nobody is told of its events.
 */
export async function openStore(fleet: Fleet, target: string | null): Promise<Store> {
  const owner = (call: string, ...args: readonly unknown[]) =>
    fleet.call("old", `owner.${call}`, ...args);

  const { id: store_id } = await owner("stores.create", { name: "Shop", currency: "BRL" });
  await owner("stores.update", store_id, { headless_enabled: true });
  await owner("returnUrls.add", store_id, returnUrl);
  const where = { store_id, livemode: false } as const;
  const { key } = await owner("keys.create", { ...where, kind: "secret" });
  const method = await owner("paymentMethods.create", store_id, {
    type: "card",
    name: "Card",
    currencies: ["BRL"],
    gateway: "sandbox",
    supports_recurring: true,
  });

  const sell = async (name: keyof typeof prices, more: object = {}): Promise<string> =>
    (
      await owner("products.create", store_id, {
        name,
        price: prices[name],
        currency: "BRL",
        ...more,
      })
    ).id;
  const products = {
    plain: await sell("plain"),
    counted: await sell("counted", { stock }),
    monthly: await sell("monthly", { recurring: { interval: "month", interval_count: 1 } }),
  };
  // The minimum is in the store's currency, which the coupon does not name.
  await owner("coupons.create", store_id, {
    code: "BIG",
    discount_type: "percentage",
    discount_amount: 10,
    min_subtotal: 1500,
  });
  const endpoint =
    target === null
      ? { secret: "" }
      : await owner("endpoints.create", { ...where, url: `${target}/events` });
  return { fleet, where, key, method_id: method.id, products, secret: endpoint.secret };
}

let sold = 0;
/** A payment that a killed process has begun has a result by then. */
const longestMs = 180_000;

/** Buys once, with the session of one version and the payment of another. */
export async function buy(store: Store, kind: Kind, session: Age, payment: Age): Promise<Sale> {
  const { fleet, key, products } = store;
  const name = `sale-${process.pid}-${++sold}`;
  const product = kind === "counted" || kind === "monthly" ? kind : "plain";
  const quantity = kind === "coupon" ? 2 : 1;
  const made = await fleet.do(session, {
    path: "/checkout/sessions",
    key,
    idempotency_key: name,
    body: {
      items: [{ product_id: products[product], quantity }],
      success_url: returnUrl,
      cancel_url: returnUrl,
      ...(kind === "coupon" ? { coupon_code: "BIG" } : {}),
    },
  });
  const token = made.data.checkout_url.split("/").at(-1);
  const outcome = { later: "pending_then_succeed", declined: "decline" }[kind as string];
  const submitted = await fleet.call(payment, "checkout.submit", token, {
    payment_method_id: store.method_id,
    customer: { email: `${name}@example.com` },
    input: outcome ? { outcome } : {},
    idempotency_key: name,
    ...(kind === "monthly" ? { consent: "every month" } : {}),
  });

  let { order } = submitted;
  // The page asks the other version about a payment without an answer, and again about one that a
  // killed process has begun.
  const until = Date.now() + longestMs;
  for (let wait = 0; order.status === "pending" && Date.now() < until; wait = 1_000) {
    await pause(wait);
    ({ order } = await fleet.call(session, "checkout.resume", token));
  }
  return {
    id: order.id,
    kind,
    session,
    payment,
    paid: order.status === "paid",
    coupon: kind === "coupon",
    refunded: 0,
    dispute: null,
  };
}

/** Gives money back through one version, or lets the buyer's bank take it and settles that. */
async function follow(store: Store, sale: Sale, turn: number): Promise<void> {
  const { fleet, where } = store;
  if (!sale.paid || sale.kind === "monthly") return;
  const first = ages[turn % 2] ?? "old";
  const second = ages[(turn >> 1) % 2] ?? "old";

  if (turn % 5 === 0)
    for (const [part, age] of [first, second].entries()) {
      const reference = `refund-${sale.id}-${part}`;
      await fleet.call(age, "orders.refund", sale.id, { ...where, reference, amount: 100 });
      sale.refunded += 100;
    }
  if (turn % 5 === 1) {
    const dispute = { ...where, reference: `dispute-${sale.id}` };
    await fleet.call(first, "orders.openDispute", sale.id, dispute);
    sale.dispute = "open";
    if (turn % 3 === 0) return;
    const outcome = turn % 3 === 1 ? "won" : "lost";
    await fleet.call(second, "orders.closeDispute", sale.id, { ...dispute, outcome });
    sale.dispute = outcome;
  }
}

/** A buyer whose cart is too small for the coupon is refused by both versions. */
async function tryTooSmall({ fleet, key, products }: Store, age: Age): Promise<boolean> {
  const items = [{ product_id: products.plain, quantity: 1 }];
  const body = { code: "BIG", items };
  const { data } = await fleet.do(age, { path: "/coupons/validate", key, body });
  return data.valid;
}

export interface Traffic {
  readonly sales: Sale[];
  /** Answers that nobody should get. */
  readonly wrong: Set<string>;
}

/** Buys until it is told to stop, each turn in another combination of the versions at work. */
export async function buyUntil(
  store: Store,
  traffic: Traffic,
  { signal, atWork }: { readonly signal: AbortSignal; readonly atWork: () => readonly Age[] },
): Promise<void> {
  for (let turn = traffic.sales.length; !signal.aborted; turn += 1) {
    const at = atWork();
    const session = at[turn % at.length] ?? "old";
    const payment = at[(turn >> 1) % at.length] ?? "old";
    const kind = kinds[turn % kinds.length] ?? "plain";
    try {
      const sale = await buy(store, kind, session, payment);
      traffic.sales.push(sale);
      if (at.length > 1) await follow(store, sale, turn);
      if (await tryTooSmall(store, session)) traffic.wrong.add("a coupon below its minimum");
    } catch (error) {
      traffic.wrong.add(`${kind} ${session} ${payment}: ${error}`);
      if (!(error instanceof Refused)) return;
    }
  }
}

/** A send that hangs is given up soon: what a killed process has claimed waits long enough. */
export const drainOptions = { timeoutMs: 1_000, maxDurationMs: 5_000 };

/** Delivers and maintains by turns through the versions at work, as both kinds of processes do. */
export async function workUntil(
  { fleet }: Store,
  traffic: Traffic,
  { signal, atWork }: { readonly signal: AbortSignal; readonly atWork: () => readonly Age[] },
): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    const at = atWork();
    const one = at[turn % at.length] ?? "old";
    const other = at[(turn + 1) % at.length] ?? "old";
    await Promise.all([
      fleet.call(one, "drainWebhooks", drainOptions),
      fleet.call(other, "runMaintenance", { maxDurationMs: 2_000 }),
    ]).catch((error) => traffic.wrong.add(`work: ${error}`));
    await pause(100);
  }
}

import { createTestShop, type TestShop } from "vitrine/testing";
import type { WebhookEvent } from "vitrine/webhooks";

const hourMs = 3_600_000;
const minuteMs = 60_000;
const dayMs = 24 * hourMs;

/** The last day of a month, so that the periods end on days that not every month has. */
export const startAt = Date.UTC(2026, 0, 31, 10);

/** What the charges of a saved method do, a buyer each. */
const renewals = [
  "succeed",
  "decline",
  "pending_then_succeed",
  "pending_then_fail",
  "authentication_required",
] as const;

/** Sells a monthly plan to a buyer for each way that charges go, and one thing by a code. */
export async function sellYear(shop: TestShop): Promise<void> {
  const monthly = { recurring: { interval: "month", interval_count: 1 } } as const;
  const plan = await shop.product({ name: "Box", ...monthly });
  for (const outcome of renewals) await subscribe(shop, plan.id, { id: outcome, outcome });
  const leaver = { id: "leaver", outcome: "succeed" };
  const leaves = await subscribe(shop, plan.id, leaver);
  await shop.cancel({ id: leaves });

  const poster = await shop.product({ name: "Poster" });
  const customer = { id: "coder", email: "coder@example.com", name: "Coder" };
  const once = await shop.checkout([{ product_id: poster.id, quantity: 1 }]);
  await shop.pay(once, { outcome: "qr_code", customer });
  await shop.checkout([{ product_id: poster.id, quantity: 1 }]);
}

/** Buys with a saved method. Gives the id of the subscription. */
async function subscribe(
  shop: TestShop,
  product_id: string,
  { id, outcome }: { readonly id: string; readonly outcome: string },
): Promise<string> {
  const { owner, checkout } = shop.storefront;
  const [method] = await owner.paymentMethods.list(shop.where.store_id);
  const session = await shop.checkout([{ product_id, quantity: 1 }]);
  const { order } = await checkout.submit(session.checkout_url.split("/").at(-1) ?? "", {
    payment_method_id: method?.id ?? "",
    customer: { id, email: "buyer@example.com", name: "Buyer" },
    consent: "Charge me every month.",
    input: { renewals: outcome },
  });
  await shop.storefront.drainWebhooks();
  return order.subscription_id ?? "";
}

/** Plays the story on a shop in memory, whose clock the host moves. */
export async function playOnTestShop(days: number): Promise<Year> {
  const shop = await createTestShop({ startAt });
  await sellYear(shop);
  const { orders } = shop.storefront.owner;
  while (shop.now() < startAt + days * dayMs) {
    // What waits for a provider is settled between two full hours, and what follows at once.
    const { data } = await orders.list({ ...shop.where, status: "pending", limit: 1 });
    const stepMs = data.length > 0 ? minuteMs : hourMs;
    await shop.advanceClock(stepMs - ((shop.now() - startAt) % stepMs));
    if (data.length > 0) await shop.advanceClock(0);
  }
  return tellYear(shop, shop.webhooks);
}

/** One fact of a story: its name, the test time and the period that it is about. */
export interface Fact {
  readonly what: string;
  readonly at: number;
}

/** A story as its books tell it, each fact in its order. */
export interface Year {
  /** The events, by their buyers: those of several buyers may come at one moment. */
  readonly events: Readonly<Record<string, readonly Fact[]>>;
  readonly orders: readonly Fact[];
  readonly charges: readonly Fact[];
}

/** Reads what has become of the story. */
export async function tellYear(
  { storefront: { owner }, where }: Pick<TestShop, "storefront" | "where">,
  told: readonly WebhookEvent[],
): Promise<Year> {
  const events = told
    .toSorted((a, b) => a.sequence - b.sequence)
    .map((event) => [buyerOf(event), factOf(event)] as const);
  const orders = await allPages((range) => owner.orders.list({ ...where, ...range }));
  const buyers = new Map(orders.map(({ id, customer }) => [id, customer?.id ?? "nobody"]));
  const charges = await allPages((range) => owner.payments.list({ ...where, ...range }));

  return {
    events: byBuyer(events),
    orders: inOrder(
      orders.map(({ customer, status, amount_total, created_at }) => ({
        what: `${customer?.id} ${status} ${amount_total}`,
        at: Date.parse(created_at),
      })),
    ),
    charges: inOrder(
      charges.map(({ order_id, status, amount, failure_code, created_at }) => ({
        what: `${buyers.get(order_id)} ${status} ${amount} ${failure_code}`,
        at: Date.parse(created_at),
      })),
    ),
  };
}

function byBuyer(events: readonly (readonly [string, Fact])[]): Year["events"] {
  const facts: Record<string, Fact[]> = {};
  for (const [buyer, fact] of events) facts[buyer] = [...(facts[buyer] ?? []), fact];
  return facts;
}

const buyerOf = ({ data }: WebhookEvent): string => {
  const [, buyer] = /"customer":\{"id":"(\w+)"/.exec(JSON.stringify(data)) ?? [];
  return buyer ?? "session";
};

function factOf({ type, created_at, data }: WebhookEvent): Fact {
  const subscription = "subscription" in data ? data.subscription : null;
  const period = subscription ? ` ${subscription.status} ${subscription.current_period_end}` : "";
  return { what: `${type}${period}`, at: Date.parse(created_at) };
}

/** Facts of one moment are told by their names. */
const inOrder = (facts: readonly Fact[]): readonly Fact[] => {
  const day = ({ at }: Fact): number => Math.floor((at - startAt) / dayMs);
  return facts.toSorted((a, b) => day(a) - day(b) || a.what.localeCompare(b.what));
};

type Range = { readonly limit: number; readonly starting_after?: string };

/** Reads every page of a list. */
export async function allPages<T>(
  read: (range: Range) => Promise<{ data: readonly T[]; next_cursor: string | null }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: Awaited<ReturnType<typeof read>> = await read({
      limit: 100,
      ...(cursor !== undefined && { starting_after: cursor }),
    });
    all.push(...page.data);
    cursor = page.next_cursor;
  }
  return all;
}

import { expect } from "vitest";
import { isApiError } from "vitrine";
import type { WebhookEvent } from "vitrine/webhooks";
import { runningTry } from "../../providers/pix/automatic/books.ts";
import { heldOf as heldByBank } from "../../providers/pix/books.ts";
import { heldOf as heldByStripe } from "../../providers/stripe/books.ts";
import { compareBooks } from "../crash/purchases.ts";
import { allPages } from "../year/story.ts";
import { type Buyer, buyers, dayMs, offers } from "./buyers.ts";
import { buyPlan, type Plan } from "./plan.ts";
import { openWorld, type PlansDatabase, timeZone, type World } from "./world.ts";

const hourMs = 3_600_000;
const trialDays = 10;

export interface PlansStory {
  readonly database: PlansDatabase;
  readonly subscriptions: number;
  readonly days: number;
  /** What buyers do comes so many times sooner, and only plans of short periods are sold. */
  readonly pace: number;
  /** All of them are sold on the first days. */
  readonly saleDays: number;
  /** A process is killed at so many points on average: two are around each call of a gateway. */
  readonly averagePoints: number;
  /** Processes maintain at these hours of each day, in the store's zone. */
  readonly hours: readonly number[];
}

/** A hundred subscriptions, and the days after a year in which the last tries of a period end. */
export const yearOfPlans: Omit<PlansStory, "database"> = {
  subscriptions: Number(process.env["YEAR_PLANS"] ?? 100),
  saleDays: 10,
  days: 390,
  pace: 1,
  averagePoints: 40,
  hours: [0.1, 8.1, 13, 19.97, 20.2, 22],
};

/** One buyer of each kind, whose periods are of a week or ten days. */
export const weeksOfPlans: Omit<PlansStory, "database"> = {
  subscriptions: buyers.length,
  saleDays: 3,
  days: 45,
  pace: 5,
  averagePoints: 300,
  hours: [7, 13, 19.97],
};

/** The midnight of the store on which the story begins: the last of a long month. */
const startAt = Date.UTC(2026, 0, 31, 3);

interface Sale {
  readonly plan: Plan;
  /** What is still to be done, by the days of the story. */
  readonly todo: Map<number, Act>;
}

type Act = NonNullable<Buyer["days"]>[number];

/**
 * Sells plans to buyers of every kind, has processes maintain them that are killed at random, and
 * compares at the end the books with those of both providers, each period and each state.
 */
export async function expectPlans(story: PlansStory): Promise<void> {
  const world = await openWorld(story.database, { startAt, ...story });
  const sales: Sale[] = [];
  try {
    const products = await makeProducts(world, story);
    const perRound = Math.ceil(story.subscriptions / (story.saleDays * story.hours.length));
    for (let day = 0; day < story.days; day += 1)
      for (const hour of story.hours) {
        world.setTime(startAt + day * dayMs + hour * hourMs);
        for (let more = 0; more < perRound && sales.length < story.subscriptions; more += 1) {
          const at = sales.length;
          const buyer = buyers[at % buyers.length] as Buyer;
          const [plain = "", trial = ""] =
            products[buyer.pays][at % products[buyer.pays].length] ?? [];
          const bought = { buyer, at, product_id: buyer.trial ? trial : plain };
          const acts = Object.entries(buyer.days ?? {}).map(
            ([after, act]) => [day + Math.ceil(Number(after) / story.pace), act] as const,
          );
          sales.push({ plan: await buyPlan(world, bought), todo: new Map(acts) });
        }
        if (hour === noonOf(story)) await live(world, sales, day);
        await world.maintain();
        await world.shop.storefront.drainWebhooks();
      }
    await settle(world, startAt + story.days * dayMs);
    await check(world, sales);
  } finally {
    await world.end();
  }
}

const noonOf = ({ hours }: PlansStory): number => hours.find((hour) => hour >= 12) ?? 12;

type Products = Readonly<
  Record<Buyer["pays"], readonly (readonly [plain: string, trial: string])[]>
>;

async function makeProducts(
  { shop: { owner, a } }: World,
  { pace }: PlansStory,
): Promise<Products> {
  const isSold = ({ interval }: (typeof offers)["card"][number]): boolean =>
    pace === 1 || interval === "week" || interval === "day";
  const make = async (offer: (typeof offers)["card"][number]) => {
    const { currency, price, interval, interval_count } = offer;
    const recurring = { interval, interval_count };
    const named = { name: `Plan of ${price} ${currency}`, price, currency };
    const plain = await owner.products.create(a.id, { ...named, recurring });
    const withTrial = { ...recurring, trial_days: trialDays };
    const trial = await owner.products.create(a.id, { ...named, recurring: withTrial });
    return [plain.id, trial.id] as const;
  };
  return {
    card: await Promise.all(offers.card.filter(isSold).map(make)),
    pix: await Promise.all(offers.pix.filter(isSold).map(make)),
  };
}

/** The buyers and the owner do what the day brings. */
async function live({ atNoon }: World, sales: readonly Sale[], today: number): Promise<void> {
  for (const act of [...atNoon]) if (act()) atNoon.splice(atNoon.indexOf(act), 1);
  for (const { plan, todo } of sales) {
    const due = [...todo].filter(([day]) => day <= today);
    const { daily } = plan.buyer;
    if ((due.length === 0 && !daily) || (await plan.id()) === null) continue;

    for (const [day, act] of due) if (await isDone(act, plan)) todo.delete(day);
    await daily?.(plan);
  }
}

/** Terms are not changed while the next period is being paid: that is tried on the next day. */
async function isDone(act: Act, plan: Plan): Promise<boolean> {
  try {
    await act(plan);
    return true;
  } catch (error) {
    if (isApiError(error) && error.code === "invalid_transition") return false;
    throw error;
  }
}

/** What a kill has interrupted is settled within two days. */
async function settle(world: World, end: number): Promise<void> {
  for (const hours of [1, 6, 13, 25, 37, 49]) {
    world.setTime(end + hours * hourMs);
    await world.maintain();
    for (let round = 0; round < 20 && waits(world); round += 1) {
      await world.bank.outbox.deliver();
      await world.stripe.outbox.deliver();
    }
    await world.shop.storefront.drainWebhooks();
  }
}

const waits = ({ bank, stripe }: World): boolean =>
  bank.outbox.waiting.length + stripe.outbox.waiting.length > 0;

async function check(world: World, sales: readonly Sale[]): Promise<void> {
  const { shop, stripe, bank, mortals } = world;
  expect(mortals.kills).toBeGreaterThan(0);
  const intents = [...stripe.books().intents.values()];
  const held = intents.map((intent) => [intent.id, heldByStripe(stripe.books(), intent)] as const);
  await compareBooks(shop, "stripe", new Map(held));
  const received = [...bank.books().received].map(([id, pix]) => [id, heldByBank(pix)] as const);
  await compareBooks(shop, "pix", new Map(received));

  await expectEnds(world, sales);
  await expectPeriods(world, sales);
  expectNoNights(world);
  await expectNothingOpen(world);
  await expectKept(world);
}

/** Each subscription stands as its buyer's story says. What came of another one is told. */
async function expectEnds(world: World, sales: readonly Sale[]): Promise<void> {
  const found = [];
  const wanted = [];
  for (const { plan } of sales) {
    const { name, pays, ends } = plan.buyer;
    const { hasGap: _, ...end } = ends;
    const now = await plan.find();
    const shown = Object.fromEntries(
      Object.keys(end).map((field) => [field, now[field as keyof typeof end]]),
    );
    const isDue = Date.parse(now.current_period_end) < plan.now() - dayMs;
    const goesOn = now.status === "active" && now.collection_method !== "host";
    const isAsTold = Object.entries(end).every(([field, value]) => shown[field] === value);
    const history = isAsTold && !(goesOn && isDue) ? [] : await historyOf(world, now.id);
    found.push({ name, pays, ...shown, history });
    wanted.push({ name, pays, ...end, history: [] });
  }
  expect(found).toEqual(wanted);
}

/** Tells a subscription's events and payments, for whoever looks into a failure. */
async function historyOf({ shop, where }: World, id: string): Promise<readonly string[]> {
  const { owner } = shop.storefront;
  const orders = await allPages((range) => owner.orders.list({ ...where, ...range }));
  const own = new Set(
    orders.filter(({ subscription_id }) => subscription_id === id).map((order) => order.id),
  );
  const payments = await allPages((range) => owner.payments.list({ ...where, ...range }));
  return [
    ...eventsOf(shop)
      .filter(({ data }) => "subscription" in data && data.subscription.id === id)
      .map(({ created_at, type }) => `${created_at} ${type}`),
    ...payments
      .filter(({ order_id }) => own.has(order_id))
      .map(({ created_at, status, failure_code }) => `${created_at} ${status} ${failure_code}`),
  ].sort();
}

const eventsOf = ({ posts }: World["shop"]): readonly WebhookEvent[] =>
  posts
    .map(({ body }) => JSON.parse(String(body)) as WebhookEvent)
    .toSorted((a, b) => a.sequence - b.sequence);

/** Each period is paid by one order, follows the one before, and costs what was agreed. */
async function expectPeriods({ shop, where }: World, sales: readonly Sale[]): Promise<void> {
  const events = eventsOf(shop);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => at + 1));

  const { orders } = shop.storefront.owner;
  const all = await allPages((range) => orders.list({ ...where, ...range }));
  for (const { plan } of sales) {
    const id = await plan.id();
    const own = events.filter(({ data }) => "subscription" in data && data.subscription.id === id);
    const paid = all.filter(
      ({ subscription_id, paid_at, amount_total }) =>
        subscription_id === id && paid_at !== null && amount_total > 0,
    );
    const told = tellPeriods(own);
    const facts = { name: plan.buyer.name, id };
    expect({ ...facts, gaps: told.gaps }).toEqual({
      ...facts,
      gaps: plan.buyer.ends.hasGap ? told.gaps : 0,
    });
    expect({ ...facts, repeated: told.repeated }).toEqual({ ...facts, repeated: [] });
    const amounts = new Map(paid.map((order) => [order.id, order.amount_total]));
    expect(amounts.size).toBe(told.paid.length);
    for (const { order_id, amount } of told.paid)
      expect({ ...facts, amount: amounts.get(order_id) }).toEqual({ ...facts, amount });
  }
}

/** Reads the events of one subscription. */
function tellPeriods(events: readonly WebhookEvent[]) {
  const paid: { order_id: string; amount: number }[] = [];
  const repeated: string[] = [];
  const seen = new Set<string>();
  let gaps = 0;
  let agreed = 0;
  let end: string | null = null;
  for (const { type, data } of events) {
    if (!("subscription" in data)) continue;
    const { subscription, order } = data;
    const period = `${type} ${subscription.current_period_start}`;
    if (type !== "subscription.updated" && seen.has(period)) repeated.push(period);
    seen.add(period);
    if (type === "subscription.created" || type === "subscription.renewed") {
      if (end !== null && subscription.current_period_start !== end) gaps += 1;
      end = subscription.current_period_end;
      const amount = type === "subscription.created" ? subscription.amount : agreed;
      if (order && subscription.status !== "trialing") paid.push({ order_id: order.id, amount });
    }
    agreed = subscription.amount;
  }
  return { paid, repeated, gaps };
}

const hourAt = (time: number): number =>
  Number(
    new Intl.DateTimeFormat("en", { timeZone, hour: "numeric", hourCycle: "h23" }).format(time),
  );

/** No charge without the buyer was made at night. */
function expectNoNights({ stripe, bank }: World): void {
  const times = [
    ...[...stripe.books().intents.values()]
      .filter(({ metadata }) => metadata["taken_by"] === "renewal")
      .map(({ id, created }) => [id, created * 1000] as const),
    ...[...bank.books().recurring.values()].flatMap(({ txid, tentativas }) =>
      tentativas.map(({ atualizacao: [first] }) => [txid, Date.parse(first?.data ?? "")] as const),
    ),
  ];
  const nights = times.filter(([, time]) => hourAt(time) < 8 || hourAt(time) >= 20);
  expect(nights.map(([id, time]) => `${id} ${new Date(time).toISOString()}`)).toEqual([]);
}

/** Nothing waits but for what the bank debits on a later day, and no owner is asked to look. */
async function expectNothingOpen({ shop, where, bank }: World): Promise<void> {
  const { owner } = shop.storefront;
  const coming = [...bank.books().recurring.values()].filter(runningTry);
  const txids = new Set(coming.map(({ txid }) => txid));
  const payments = await allPages((range) => owner.payments.list({ ...where, ...range }));
  const open = payments.filter(
    ({ id, status }) =>
      status !== "succeeded" && status !== "failed" && !txids.has(id.replace("pay_", "")),
  );
  expect(open).toEqual([]);
  const orders = await allPages((range) =>
    owner.orders.list({ ...where, status: "pending", ...range }),
  );
  expect(orders.length).toBeLessThanOrEqual(coming.length);
  expect((await owner.alerts.list(where.store_id)).data).toEqual([]);
}

/** The providers keep what subscriptions that go on are charged by, and nothing else. */
async function expectKept({ shop, where, stripe, bank }: World): Promise<void> {
  const { owner } = shop.storefront;
  const all = await allPages((range) => owner.subscriptions.list({ ...where, ...range }));
  const living = all.filter(
    ({ status, saved_method }) => status !== "canceled" && saved_method !== null,
  );
  const count = (kind: string) =>
    living.filter(({ saved_method }) => saved_method?.kind === kind).length;
  const cards = [...stripe.books().methods.values()].filter(({ customer }) => customer !== null);
  const authorized = [...bank.books().recurrences.values()].filter(
    ({ status }) => status === "APROVADA",
  );
  expect([cards.length, authorized.length]).toEqual([count("card"), count("pix")]);
}

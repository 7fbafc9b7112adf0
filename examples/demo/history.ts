import type { Storefront } from "vitrine";
import { callApi, couponCode } from "./seed.ts";

export interface HistoryPlace {
  /** It is a storefront whose clock shows the time that `at` has set. */
  readonly shop: Storefront;
  /** Does the work while the clock shows this time, in epoch milliseconds. */
  readonly at: <Result>(time: number, work: () => Promise<Result>) => Promise<Result>;
  readonly origin: string;
  readonly store_id: string;
  readonly publishableKey: string;
}

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly tax_id: string;
}

interface Purchase {
  readonly at: number;
  readonly person: Person;
  readonly items: readonly { readonly product_id: string; readonly quantity: number }[];
  readonly coupon: string | null;
  /** `leave` means that the buyer opens the checkout and pays nothing. */
  readonly outcome: "succeed" | "decline" | "decline_then_succeed" | "leave";
  readonly refund: "whole" | "part" | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const days = 90;

const firstNames = "Ana Bruno Carla Diego Elisa Felipe Gabriela Hugo Isabel João Larissa Marcos";
const lastNames = "Almeida Barros Castro Duarte Esteves Ferreira Gomes Lima Moreira Rocha";

/** Gives the same numbers from 0 to 1 in each run (mulberry32). */
function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Writes a tax id whose check digits are right, because the checkout asks for one. */
function taxIdOf(number: number): string {
  const digits = [...String(100_000_000 + number * 7_919)].map(Number);
  for (const _ of [1, 2]) {
    const weight = digits.length + 1;
    const sum = digits.reduce((all, digit, index) => all + digit * (weight - index), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join("");
}

export function createPeople(): readonly Person[] {
  const last = lastNames.split(" ");
  return firstNames.split(" ").flatMap((first, row) =>
    last.slice(0, 5).map((_, column) => {
      const name = `${first} ${last[(row + 2 * column) % last.length]}`;
      const plain = name.normalize("NFD").replace(/[^A-Za-z ]/g, "");
      const id = plain.toLowerCase().replaceAll(" ", ".");
      return { id, name, email: `${id}@example.com`, tax_id: taxIdOf(row * 10 + column) };
    }),
  );
}

/**
 * Plans purchases of the 90 days before a time. They grow each month, and at weekends.
 * `stock` says how many pieces of each product they may take in all.
 */
function planPurchases(now: number, stock: ReadonlyMap<string, number>): readonly Purchase[] {
  if (stock.size === 0) return [];

  const dice = createDice(20_260_101);
  const people = createPeople();
  const productIds = [...stock.keys()];
  const left = new Map(stock);
  const take = (product_id: string, quantity: number): boolean => {
    const pieces = (left.get(product_id) ?? 0) - quantity;
    if (pieces >= 0) left.set(product_id, pieces);
    return pieces >= 0;
  };
  const pick = <Item>(items: readonly Item[]): Item => {
    // The first products are chosen more often than the last ones.
    const item = items[Math.floor(dice() ** 1.6 * items.length)];
    if (item === undefined) throw new Error("There is nothing to pick from.");
    return item;
  };

  const purchases: Purchase[] = [];
  for (let day = days; day > 0; day -= 1) {
    const isWeekend = [0, 6].includes(new Date(now - day * dayMs).getUTCDay());
    const expected = 1.9 + (2.4 * (days - day)) / days + (isWeekend ? 1.5 : 0);
    const count = Math.floor(expected * (0.5 + dice()));
    for (let number = 0; number < count; number += 1) {
      const fate = dice();
      purchases.push({
        at: Math.floor(now - day * dayMs + dice() * (dayMs - hourMs)),
        person: pick(people),
        items: [
          ...new Set(dice() < 0.3 ? [pick(productIds), pick(productIds)] : [pick(productIds)]),
        ]
          .map((product_id) => ({ product_id, quantity: dice() < 0.2 ? 2 : 1 }))
          .filter(({ product_id, quantity }) => take(product_id, quantity)),
        coupon: dice() < 0.18 ? couponCode : null,
        outcome:
          fate < 0.1
            ? "leave"
            : fate < 0.17
              ? "decline"
              : fate < 0.21
                ? "decline_then_succeed"
                : "succeed",
        refund: fate > 0.97 ? "whole" : fate > 0.94 ? "part" : null,
      });
    }
  }
  return purchases.filter(({ items }) => items.length > 0).sort((a, b) => a.at - b.at);
}

/** This many purchases run at once, because a database can commit them together. */
const atOnce = 25;

/**
 * Writes three months of orders by the calls that a shop makes, each at its own
 * time. They include paid and failed orders, refunds, coupons, and checkouts that
 * buyers have left.
 */
export async function writeHistory(place: HistoryPlace): Promise<void> {
  const { shop, origin, store_id, publishableKey } = place;
  const methods = await shop.owner.paymentMethods.list(store_id);
  const methodIds = methods.map(({ id }) => id);
  const listed = await callApi(shop, origin, "GET", "/products?limit=20", publishableKey);
  const products = listed["data"] as { id: string; available: boolean }[];
  const product_ids = products.filter(({ available }) => available).map(({ id }) => id);
  const counted = await shop.owner.products.countStock({ store_id, livemode: false, product_ids });

  // Half of what is counted stays for the visitors of the demo.
  const stock = new Map(product_ids.map((id) => [id, Number.POSITIVE_INFINITY]));
  for (const { product_id, on_hand } of counted) stock.set(product_id, Math.floor(on_hand / 2));
  const purchases = planPurchases(Date.now(), stock);
  for (let first = 0; first < purchases.length; first += atOnce) {
    const together = purchases.slice(first, first + atOnce);
    await Promise.all(
      together.map((purchase, index) =>
        makePurchase(place, purchase, { reference: `history-${first + index}`, methodIds }),
      ),
    );
  }
}

async function makePurchase(
  place: HistoryPlace,
  purchase: Purchase,
  { reference, methodIds }: { readonly reference: string; readonly methodIds: readonly string[] },
): Promise<void> {
  const { shop, at, store_id } = place;
  const { person, outcome, refund } = purchase;
  const checkout_url = await at(purchase.at, () => openSession(place, purchase, reference));
  if (outcome === "leave") return;

  const token = checkout_url.split("/").at(-1) ?? "";
  const payment = {
    payment_method_id: methodIds[person.name.length % methodIds.length],
    customer: { name: person.name, tax_id: person.tax_id },
    input: { outcome },
  };
  const pay = (minutes: number) =>
    at(purchase.at + minutes * minuteMs, () => shop.checkout.submit(token, payment));
  const first = await pay(2);
  const { order } = outcome === "decline_then_succeed" ? await pay(4) : first;
  if (refund === null || order.status !== "paid") return;

  const part = { amount: Math.ceil(order.amount_total / 3), reason: "One piece was damaged." };
  const whole = { reason: "The buyer has changed their mind." };
  await at(purchase.at + 25 * minuteMs, () =>
    shop.orders.refund(order.id, {
      store_id,
      livemode: false,
      reference,
      ...(refund === "part" ? part : whole),
    }),
  );
}

/** Opens a checkout session as the person's shop does, and gives its address. */
export async function openSession(
  { shop, origin, store_id, publishableKey }: HistoryPlace,
  { person, items, coupon }: Pick<Purchase, "person" | "items" | "coupon">,
  reference: string,
): Promise<string> {
  const { token } = await shop.customers.issueToken({
    store_id,
    livemode: false,
    customer_id: person.id,
    ttl_seconds: 3_600,
  });
  const session = await callApi(
    shop,
    origin,
    "POST",
    "/checkout/sessions",
    publishableKey,
    {
      items,
      success_url: `${origin}/success`,
      cancel_url: `${origin}/cancel`,
      customer: { email: person.email },
      ...(coupon && { coupon_code: coupon }),
    },
    { "idempotency-key": reference, "x-service-customer-token": token },
  );
  return (session["data"] as { checkout_url: string }).checkout_url;
}

import type { Subscription } from "vitrine";
import type { SubmitInput } from "vitrine/owner";
import type { AutomaticOptions } from "vitrine/pix";
import { heldOf, receivePix } from "../books.ts";
import { only } from "../setup.ts";
import { type PixShopOptions, pixShop } from "../shop.ts";
import { settleDebits } from "./books.ts";

export const day = 86_400_000;
export const consent = "Armazém charges R$ 20,00 every month by Pix Automático until I cancel.";
export const buyer = {
  customer: { id: "u_1", email: "ana@example.com", name: "Ana", tax_id: "529.982.247-25" },
  consent,
};

export interface SubscriberOptions extends Omit<PixShopOptions, "monthly"> {
  readonly automatic?: AutomaticOptions;
  readonly buyer?: Partial<SubmitInput>;
}

/** A shop with a monthly product, whose buyer has paid the first month at noon. */
export async function subscribed({ automatic = {}, ...options }: SubscriberOptions = {}) {
  const pix = { automatic, ...options.pix };
  const shop = await pixShop({ ...options, pix, monthly: true });
  const { bank } = shop;
  // Nobody is charged at night: 12:00 UTC is 9:00 in Brasília, and the store is in UTC.
  await shop.advanceClock(day / 2);
  const submitted = await shop.submit(options.buyer ?? buyer);
  receivePix(bank.books(), shop.charge());
  await bank.outbox.deliver();

  const id = (await shop.order(submitted.order)).subscription_id ?? "";
  const { subscriptions, owner } = shop.storefront;
  const find = (): Promise<Subscription> => subscriptions.retrieve(id, shop.where);

  return {
    ...shop,
    id,
    find,
    first: await find(),
    submitted,
    recurrence: () => only(bank.books().recurrences),
    /** The charges of later periods, the first one first. */
    charges: () => [...bank.books().recurring.values()],
    /** Turns the clock hour by hour, as maintenance and the bank see it. */
    async goTo(time: string | number, stepMs = 3_600_000): Promise<void> {
      const end = new Date(time).getTime();
      while (shop.now() < end) {
        await shop.advanceClock(Math.min(stepMs, end - shop.now()));
        settleDebits(bank.books());
        await bank.outbox.deliver();
      }
    },
    /** What the bank holds of all, and what our books say, in cents. */
    async books(): Promise<readonly [bank: number, ours: number]> {
      const held = [...bank.books().received.values()].map(heldOf);
      const { data } = await owner.orders.list({ ...shop.where, limit: 100 });
      const paid = data.filter(({ status }) => status === "paid");
      const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);
      return [sum(held), sum(paid.map(({ amount_total }) => amount_total))];
    },
    async events(): Promise<readonly string[]> {
      const { data } = await owner.events.list({ ...shop.where, limit: 100 });
      return data.map(({ type }) => type).reverse();
    },
  };
}

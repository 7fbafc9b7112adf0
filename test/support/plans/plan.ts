import type { Subscription } from "vitrine";
import type { NextAction } from "vitrine/gateway";
import type { FakeRecurrence, FakeRecurringCharge } from "../../providers/pix/automatic/books.ts";
import { type Books as BankBooks, receivePix } from "../../providers/pix/books.ts";
import { answerThreeDSecure, payOnPage } from "../../providers/stripe/buyer.ts";
import { keptCards } from "../../providers/stripe/methods.ts";
import type { Buyer } from "./buyers.ts";
import type { World } from "./world.ts";

/** The subscription of one buyer, and what its buyer and its owner may do. */
export interface Plan {
  readonly buyer: Buyer;
  readonly bank: BankBooks;
  now(): number;
  /** Null while nobody has paid. */
  id(): Promise<string | null>;
  find(): Promise<Subscription>;
  /** From now on the kept card behaves as the card of this number. */
  setCard(number: string): void;
  /** Says whether there is money on the buyer's account, by the number of the try. */
  setMoney(has: (tries: number) => boolean): void;
  /** Does something to the next charge that the bank has. */
  onCharge(act: (charge: FakeRecurringCharge) => void): void;
  recurrence(): FakeRecurrence;
  payByLink(card?: string): Promise<void>;
  cancel(): Promise<void>;
  keep(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  changePrice(times: number): Promise<void>;
  setQuantity(quantity: number): Promise<void>;
  /** Gives a share of the last payment back. */
  refund(share: number): Promise<void>;
  erase(): Promise<void>;
}

interface Purchase {
  readonly buyer: Buyer;
  readonly at: number;
  readonly product_id: string;
}

/** Has a buyer buy a plan. */
export async function buyPlan(world: World, { buyer, at, product_id }: Purchase): Promise<Plan> {
  const { shop, where, stripe, bank, method_ids } = world;
  const { subscriptions, checkout, orders, owner } = shop.storefront;
  const books = bank.books();
  const customer = {
    id: `u_${at}`,
    email: `u${at}@example.com`,
    name: `Buyer ${at}`,
    tax_id: "529.982.247-25",
  };
  const submit = (token: string) =>
    checkout.submit(token, {
      payment_method_id: method_ids[buyer.pays],
      customer,
      consent: "Charge me by this method until I cancel.",
    });

  const pay = (action: NextAction | null, card: string): void => {
    if (action?.type === "redirect") {
      const session = stripe.books().sessions.get(action.url.split("/").at(-1) ?? "");
      if (session && payOnPage(stripe.books(), session, card) === "three_d_secure")
        answerThreeDSecure(stripe.books(), session, true);
    }
    if (action?.type !== "qr_code") return;
    const charge = [...books.charges.values()].find((one) => action.text.includes(one.location));
    if (charge) receivePix(books, charge);
  };

  const session = await shop.session({ items: [{ product_id, quantity: 1 }] });
  const { order, next_action } = await submit(shop.tokenOf(session));
  pay(next_action, buyer.card ?? keptCards.succeeds);

  let known: string | null = null;
  const id = async (): Promise<string | null> => {
    known ??= (await orders.retrieve(order.id, where)).subscription_id;
    return known;
  };
  const named = async (): Promise<string> => (await id()) ?? "";
  const find = async (): Promise<Subscription> => subscriptions.retrieve(await named(), where);
  const recurrences = () =>
    [...books.recurrences.values()].filter(
      ({ vinculo }) => (vinculo as { devedor?: { nome?: string } }).devedor?.nome === customer.name,
    );
  const charges = () => {
    const own = new Set(recurrences().map(({ idRec }) => idRec));
    return [...books.recurring.values()].filter(({ idRec }) => own.has(idRec));
  };

  return {
    buyer,
    bank: books,
    now: world.now,
    id,
    find,
    setCard(number) {
      const kept = [...stripe.books().customers.values()].find(
        ({ email }) => email === customer.email,
      );
      for (const method of stripe.books().methods.values())
        if (method.customer === kept?.id) stripe.books().numbers.set(method.id, number);
    },
    setMoney(has) {
      world.moneyOf.push((charge) =>
        recurrences().some(({ idRec }) => idRec === charge.idRec)
          ? has(charge.tentativas.length)
          : null,
      );
    },
    onCharge(act) {
      const before = charges().length;
      world.atNoon.push(() => {
        const next = charges()[before];
        if (next) act(next);
        return next !== undefined;
      });
    },
    recurrence() {
      const last = recurrences().at(-1);
      if (!last) throw new Error(`${customer.name} has no recurrence.`);
      return last;
    },
    async payByLink(card = keptCards.succeeds) {
      const success_url = "https://shop.example/thanks";
      const { url } = await subscriptions.payLink(await named(), { ...where, success_url });
      pay((await submit(url.split("/").at(-1) ?? "")).next_action, card);
    },
    async cancel() {
      await subscriptions.cancel(await named(), { ...where, at_period_end: true });
    },
    async keep() {
      await subscriptions.keep(await named(), where);
    },
    async pause() {
      await subscriptions.pause(await named(), where);
    },
    async resume() {
      await subscriptions.resume(await named(), where);
    },
    async changePrice(times) {
      const unit_amount = Math.round(((await find()).unit_amount * times) / 10) * 10;
      await subscriptions.changePrice(await named(), { ...where, unit_amount });
    },
    async setQuantity(quantity) {
      await subscriptions.update(await named(), { ...where, quantity });
    },
    async refund(share) {
      const { latest_order_id } = await find();
      const last = await orders.retrieve(latest_order_id ?? "", where);
      const amount = Math.ceil((last.amount_total * share) / 10) * 10;
      if (last.status !== "paid") return;
      await orders.refund(last.id, { ...where, reference: `back_${last.id}`, amount });
    },
    async erase() {
      await owner.eraseCustomer(where.store_id, customer.id);
    },
  };
}

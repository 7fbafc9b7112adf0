import type { Subscription } from "vitrine";
import { cancelAtBank, rejectCharge } from "../../providers/pix/automatic/books.ts";
import { testCards } from "../../providers/stripe/buyer.ts";
import { keptCards } from "../../providers/stripe/methods.ts";
import type { Plan } from "./plan.ts";

export const dayMs = 86_400_000;

/** What is left of a subscription when the story ends. */
type End = Partial<Pick<Subscription, "status" | "collection_method" | "cancel_at_period_end">> & {
  /** Periods that nobody was charged for, because the buyer had paused. */
  readonly hasGap?: boolean;
};

/** How a buyer behaves, and how the story must end for them. */
export interface Buyer {
  readonly name: string;
  readonly pays: "card" | "pix";
  /** The number of the first card. */
  readonly card?: string;
  readonly trial?: boolean;
  /** What happens at the first noon so many days after the purchase. */
  readonly days?: Readonly<Record<number, (plan: Plan) => Promise<void> | void>>;
  /** What happens at each noon. */
  daily?(plan: Plan): Promise<void> | void;
  readonly ends: End;
}

const goesOn = { status: "active", collection_method: "charge_automatically" } as const;
const hasEnded = { status: "canceled" } as const;

/** The buyer pays what is past due by the link, with another card or authorization. */
const paysByLink =
  (card?: string): NonNullable<Buyer["daily"]> =>
  async (plan) => {
    const { status, next_charge_at } = await plan.find();
    if (status === "past_due" && next_charge_at === null) await plan.payByLink(card);
  };

/** Gives the card money again three days after its first decline. */
const findsMoney: NonNullable<Buyer["daily"]> = async (plan) => {
  const { status, current_period_end } = await plan.find();
  const since = plan.now() - Date.parse(current_period_end);
  if (status === "past_due" && since > 2.5 * dayMs) plan.setCard(keptCards.succeeds);
};

const cardBuyers: readonly Omit<Buyer, "pays">[] = [
  { name: "steady", ends: goesOn },
  { name: "tries it first", trial: true, ends: goesOn },
  { name: "was asked by the bank once", card: testCards.asks, ends: goesOn },
  { name: "never has money", card: keptCards.declinesLater, ends: hasEnded },
  {
    name: "has no money for three days",
    days: { 100: (plan) => plan.setCard(keptCards.declinesLater) },
    daily: findsMoney,
    ends: goesOn,
  },
  {
    name: "has a card that expires, and gives another one",
    days: { 80: (plan) => plan.setCard(keptCards.expiresLater) },
    daily: paysByLink(keptCards.succeeds),
    ends: goesOn,
  },
  {
    name: "has a card that expires, and does nothing",
    days: { 80: (plan) => plan.setCard(keptCards.expiresLater) },
    ends: hasEnded,
  },
  {
    name: "is asked by the bank each time",
    card: keptCards.asksEachTime,
    daily: paysByLink(keptCards.asksEachTime),
    ends: goesOn,
  },
  { name: "is asked by the bank, and is gone", card: keptCards.asksEachTime, ends: hasEnded },
  { name: "cancels", days: { 70: (plan) => plan.cancel() }, ends: hasEnded },
  {
    name: "cancels, and stays after all",
    days: {
      async 70(plan) {
        await plan.cancel();
        await plan.keep();
      },
    },
    ends: goesOn,
  },
  {
    name: "pauses",
    days: { 40: (plan) => plan.pause(), 130: (plan) => plan.resume() },
    ends: { ...goesOn, hasGap: true },
  },
  { name: "pays another price", days: { 60: (plan) => plan.changePrice(1.2) }, ends: goesOn },
  { name: "takes three", days: { 60: (plan) => plan.setQuantity(3) }, ends: goesOn },
  {
    name: "is given money back",
    days: { 45: (plan) => plan.refund(1), 75: (plan) => plan.refund(0.3) },
    ends: goesOn,
  },
  {
    name: "gives another card before it is needed",
    days: { 50: (plan) => plan.payByLink(keptCards.succeeds) },
    ends: goesOn,
  },
  {
    name: "is erased",
    days: { 90: (plan) => plan.erase() },
    ends: { status: "active", collection_method: "host" },
  },
  {
    name: "leaves within the trial",
    trial: true,
    days: { 3: (plan) => plan.cancel() },
    ends: hasEnded,
  },
  {
    name: "cannot pay after the trial",
    trial: true,
    card: keptCards.declinesLater,
    ends: hasEnded,
  },
];

const pixBuyers: readonly Omit<Buyer, "pays">[] = [
  { name: "steady", ends: goesOn },
  {
    name: "has no money on one day",
    days: { 50: (plan) => plan.setMoney((tries) => tries > 1) },
    ends: goesOn,
  },
  {
    name: "has no money any more",
    days: { 100: (plan) => plan.setMoney(() => false) },
    ends: hasEnded,
  },
  {
    name: "ends it at the bank",
    days: { 100: (plan) => cancelAtBank(plan.bank, plan.recurrence()) },
    ends: hasEnded,
  },
  {
    name: "ends it at the bank, and authorizes it again",
    days: { 100: (plan) => cancelAtBank(plan.bank, plan.recurrence()) },
    daily: paysByLink(),
    ends: goesOn,
  },
  { name: "cancels", days: { 100: (plan) => plan.cancel() }, ends: hasEnded },
  {
    name: "has a limit that is too low, once",
    days: {
      50: (plan) => plan.onCharge((charge) => rejectCharge(plan.bank, charge, "AM02")),
    },
    ends: goesOn,
  },
  {
    name: "pauses",
    days: { 40: (plan) => plan.pause(), 130: (plan) => plan.resume() },
    ends: { ...goesOn, hasGap: true },
  },
  {
    name: "is given money back",
    days: { 75: (plan) => plan.refund(1), 110: (plan) => plan.refund(0.3) },
    ends: goesOn,
  },
  {
    name: "pays another price",
    days: { 60: (plan) => plan.changePrice(1.2) },
    daily: paysByLink(),
    ends: goesOn,
  },
  {
    name: "is erased",
    days: { 90: (plan) => plan.erase() },
    ends: { status: "active", collection_method: "host" },
  },
];

/** Every way in which buyers behave. */
export const buyers: readonly Buyer[] = [
  ...cardBuyers.map((buyer) => ({ ...buyer, pays: "card" as const })),
  ...pixBuyers.map((buyer) => ({ ...buyer, pays: "pix" as const })),
];

interface Offer {
  readonly currency: string;
  readonly price: number;
  readonly interval: "day" | "week" | "month" | "year";
  readonly interval_count: number;
}

const offer = (
  currency: string,
  price: number,
  interval_count: number,
  interval: Offer["interval"],
): Offer => ({ currency, price, interval, interval_count });

/** What is sold, by how it is paid: intervals and currencies of every kind. */
export const offers: Readonly<Record<Buyer["pays"], readonly Offer[]>> = {
  card: [
    offer("BRL", 4990, 1, "month"),
    offer("USD", 1000, 2, "week"),
    offer("JPY", 1200, 1, "month"),
    offer("EUR", 2599, 3, "month"),
    offer("KWD", 4500, 10, "day"),
    offer("BRL", 39_900, 1, "year"),
  ],
  pix: [
    offer("BRL", 3990, 1, "month"),
    offer("BRL", 990, 1, "week"),
    offer("BRL", 10_000, 3, "month"),
    offer("BRL", 19_900, 6, "month"),
    offer("BRL", 29_990, 1, "year"),
  ],
};

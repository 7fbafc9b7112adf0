import type { WebhookEvent } from "../contract/events.ts";
import type { Order, Store, Subscription } from "../contract/schemas.ts";
import { renewalWords } from "../pages/parts/renewal.ts";
import { formatAmount, formatDay, formatTime } from "../pages/texts/format.ts";
import { choicesOf } from "../rules/catalog/groups/product-options.ts";
import type { Letter } from "./letter.ts";
import type { MailLanguage } from "./texts.ts";

/** A link by which a buyer pays a period. */
export interface PayLinkShown {
  readonly url: string;
  /** A time in ISO 8601 UTC. */
  readonly expires_at: string;
}

/** What the words of a letter are made of. */
export interface Writing {
  readonly store: Store;
  readonly language: MailLanguage;
  /** Makes the link of a subscription. Null when the host wants none. */
  payLink(subscription_id: string): Promise<PayLinkShown | null>;
}

/** Writes the letter of an event. Gives null for an event that tells a buyer nothing. */
export async function writeLetter(event: WebhookEvent, writing: Writing): Promise<Letter | null> {
  switch (event.type) {
    case "order.paid":
      return paidLetter(event.data.order, writing);
    case "order.refunded":
      return refundLetter(event.data.order, event.data.refund.amount, writing);
    case "subscription.past_due":
      // When it is not tried again, `subscription.payment_action_required` comes next.
      return willBeTried(event.data.subscription)
        ? failedLetter(event.data.subscription, writing)
        : null;
    case "subscription.payment_action_required":
      return failedLetter(event.data.subscription, writing);
    case "subscription.updated":
      return changedLetter(event.data.subscription, writing);
    case "subscription.renewal_upcoming":
      return upcomingLetter(event.data.subscription, writing);
    case "subscription.canceled":
      return endedLetter(event.data.subscription, writing);
    default:
      return null;
  }
}

/** Adds the way to the customer page, where the letter asks for nothing else. */
export function withPageLink(letter: Letter, link: PayLinkShown | null, writing: Place): Letter {
  if (link === null || letter.button !== null) return letter;

  return { ...letter, button: pageButton(link, "page_link_button", writing) };
}

const pageButton = (
  { url, expires_at }: PayLinkShown,
  label: "page_link_button" | "page_link_all",
  writing: Place,
) => {
  const { say } = writing.language;
  const note = say("page_link_until", { time: timeOf(writing, expires_at) });
  return { label: say(label), url, note };
};

/** Writes the letter that does nothing but lead to the customer page. */
export function pageLinkLetter(link: PayLinkShown, writing: Place): Letter {
  const { store, language } = writing;
  const { say } = language;
  const names = { store: store.name };
  return {
    ...plain,
    kind: "page_link",
    subject: say("page_link_subject", names),
    title: say("page_link_title"),
    paragraphs: [say("page_link_text", names)],
    button: pageButton(link, "page_link_all", writing),
  };
}

const willBeTried = ({ collection_method, next_charge_at }: Subscription): boolean =>
  collection_method === "host" || next_charge_at !== null;

const plain = { lines: [], sums: [], button: null } as const;

/** A first order is confirmed. What a subscription charges by itself gets a receipt. */
function paidLetter(order: Order, writing: Writing): Letter {
  const { store, language } = writing;
  const { say } = language;
  const kind = order.checkout_session_id === null ? "receipt" : "order_confirmation";
  const amount = amountOf(writing, order.amount_total, order.currency);
  const number = String(order.number);
  const day = dayOf(writing, order.paid_at ?? order.created_at);

  return {
    ...plain,
    kind,
    subject: say(`${kind}_subject`, { number, store: store.name }),
    title: say(`${kind}_title`),
    paragraphs: [say(`${kind}_text`, { amount, day })],
    lines: order.items.map((item) => ({
      name: item.name,
      details: choicesOf(item).map(([name, value]) => `${name}: ${value}`),
      quantity: item.quantity,
      amount: amountOf(writing, item.amount_subtotal, order.currency),
    })),
    sums: sumsOf(order, writing),
  };
}

function sumsOf(order: Order, writing: Writing): Letter["sums"] {
  const { say } = writing.language;
  const amount = (minor: number): string => amountOf(writing, minor, order.currency);
  const total = [say("total"), amount(order.amount_total)] as const;
  if (order.amount_discount === 0) return [total];

  const { coupon_code: code } = order;
  const discount = code === null ? say("discount") : say("discount_code", { code });
  return [
    [say("subtotal"), amount(order.amount_subtotal)],
    [discount, `−${amount(order.amount_discount)}`],
    total,
  ];
}

function refundLetter(order: Order, refunded: number, writing: Writing): Letter {
  const { say } = writing.language;
  const store = writing.store.name;
  const number = String(order.number);
  const amount = amountOf(writing, refunded, order.currency);

  return {
    ...plain,
    kind: "refund",
    subject: say("refund_subject", { number, store }),
    title: say("refund_title"),
    paragraphs: [say("refund_text", { amount, number, store })],
  };
}

async function failedLetter(subscription: Subscription, writing: Writing): Promise<Letter> {
  const { say } = writing.language;
  const { product_name: product, saved_method, next_charge_at } = subscription;
  const store = writing.store.name;
  const amount = amountOf(writing, subscription.amount, subscription.currency);
  const method = saved_method?.label;

  const link = await writing.payLink(subscription.id);
  const refused =
    method === undefined
      ? say("payment_failed_text", { amount, product })
      : say("payment_failed_method", { amount, product, method });
  const next = next_charge_at === null ? "payment_failed_now" : "payment_failed_again";

  return {
    ...plain,
    kind: "payment_failed",
    subject: say("payment_failed_subject", { store }),
    title: say("payment_failed_title"),
    paragraphs: [refused, link === null ? say("payment_failed_ask", { store }) : say(next)],
    button: link && {
      label: say("payment_failed_button", { amount }),
      url: link.url,
      note: say("payment_failed_until", { time: timeOf(writing, link.expires_at) }),
    },
  };
}

function changedLetter(subscription: Subscription, writing: Writing): Letter {
  const { language, store } = writing;
  const { product_name: product, paused_at, current_period_end } = subscription;
  const amount = amountOf(writing, subscription.amount, subscription.currency);
  const renewal = renewalWords(language, subscription, amount);
  const day = dayOf(writing, current_period_end);

  return {
    ...plain,
    kind: "renewal_notice",
    subject: language.say("renewal_notice_subject", { store: store.name }),
    title: language.say("renewal_notice_title"),
    paragraphs: [
      paused_at === null
        ? language.say("renewal_notice_text", { product, renewal, day })
        : language.say("renewal_notice_paused", { product }),
    ],
  };
}

function upcomingLetter(subscription: Subscription, writing: Writing): Letter {
  const { language, store } = writing;
  const { product_name: product, saved_method, next_charge_at } = subscription;
  const amount = amountOf(writing, subscription.amount, subscription.currency);
  const day = dayOf(writing, next_charge_at ?? subscription.current_period_end);
  const method = saved_method?.label ?? "";
  const isTrial = subscription.status === "trialing";
  const names = { store: store.name, day };

  return {
    ...plain,
    kind: "renewal_notice",
    subject: language.say(isTrial ? "upcoming_trial_subject" : "upcoming_subject", names),
    title: language.say(isTrial ? "upcoming_trial_title" : "upcoming_title"),
    paragraphs: [
      language.say("upcoming_text", { product, amount, day, method }),
      language.say("upcoming_nothing"),
    ],
  };
}

function endedLetter(subscription: Subscription, writing: Writing): Letter {
  const { say } = writing.language;
  const { product_name: product, ended_at, current_period_end } = subscription;
  const day = dayOf(writing, ended_at ?? current_period_end);

  return {
    ...plain,
    kind: "cancellation",
    subject: say("cancellation_subject", { store: writing.store.name }),
    title: say("cancellation_title"),
    paragraphs: [say("cancellation_text", { product, day })],
  };
}

const amountOf = ({ language }: Writing, minor: number, currency: string): string =>
  formatAmount(minor, currency, language.locale);

type Place = Pick<Writing, "store" | "language">;

const styleOf = ({ language, store }: Place) => ({
  locale: language.locale,
  timezone: store.timezone,
});

const dayOf = (writing: Writing, time: string): string =>
  formatDay(Date.parse(time), styleOf(writing));

const timeOf = (writing: Place, time: string): string =>
  formatTime(Date.parse(time), styleOf(writing));

import { isApiError } from "../contract/errors.ts";
import type { EventType, WebhookEvent } from "../contract/events.ts";
import { dayMs } from "../domain/durations.ts";
import { emailPattern } from "../domain/text/plain.ts";
import {
  invalidOption,
  type OptionNames,
  requireOptions,
  requireSignal,
} from "../input/option-error.ts";
import { type OptionKind, refuseWrongOptions } from "../input/option-kinds.ts";
import type { CustomerPageLink } from "../owner/sales/customers.ts";
import type { OwnerStore } from "../owner/stores.ts";
import { type MessageKind, messageKinds } from "./letter.ts";
import type { Message, MessageSource } from "./message.ts";
import { renderLetter } from "./render-letter.ts";
import { chooseMailLanguage } from "./texts.ts";
import { type PayLinkShown, withPageLink, writeLetter } from "./write-letter.ts";

export type { WebhookEvent } from "../contract/events.ts";
export type { OwnerStore } from "../owner/stores.ts";
export type { MessageKind } from "./letter.ts";
export type { Message, MessageSource } from "./message.ts";
export { type PageLinkMessage, type PageLinkMessageInput, writePageLink } from "./page-link.ts";

/** The options of `sendMessages`. */
export interface MessageOptions {
  /**
   * Sends a message. When it throws or rejects, it is called again with the same message after
   * 1 s, doubling up to 5 minutes, and later messages of that store wait: do not throw for an
   * address that does not exist.
   */
  readonly onMessage: (message: Message) => void | Promise<void>;
  /** An abort ends the work once the running message is sent. */
  readonly signal: AbortSignal;
  /** Names the cursor, as for `consumeEvents`. Default `mail`. */
  readonly consumer?: string | undefined;
  /** The kinds that are sent. Default: all. */
  readonly kinds?: readonly MessageKind[] | undefined;
  /** The store whose messages are sent. Default: all stores. */
  readonly store_id?: string | undefined;
  /**
   * Where a buyer comes back to who pays by the link of a `payment_failed` message; null for no
   * link. Default no link.
   */
  readonly success_url?: string | ((store: OwnerStore) => string | null) | undefined;
  /** True sends messages of the test mode too. Default false. */
  readonly testMode?: boolean | undefined;
  /**
   * What happened longer ago is told to nobody, in milliseconds: a new consumer begins at the
   * oldest event. Default three days.
   */
  readonly maxAgeMs?: number | undefined;
  /** The clock, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

const names: OptionNames<MessageOptions, OptionKind> = {
  onMessage: true,
  signal: true,
  consumer: true,
  kinds: "list",
  store_id: "string",
  success_url: true,
  testMode: "boolean",
  maxAgeMs: true,
  now: "function",
};

/** The events that some message tells of. */
const types: readonly EventType[] = [
  "order.paid",
  "order.refunded",
  "subscription.past_due",
  "subscription.payment_action_required",
  "subscription.updated",
  "subscription.renewal_upcoming",
  "subscription.canceled",
];

/**
 * Writes messages to buyers and hands them to your own code, which sends them: at least once, in
 * order within a store and mode, by one process at a time. Runs until `signal` aborts. Throws
 * `invalid_option` when an option is wrong.
 */
export async function sendMessages(
  storefront: MessageSource,
  options: MessageOptions,
): Promise<void> {
  if (typeof Object(storefront).consumeEvents !== "function")
    invalidOption("storefront", "must be what createStorefront returned");
  const settings = readOptions(options);
  const { consumer, store_id, signal } = settings;

  await storefront.consumeEvents({ consumer, types, store_id, signal }, async (event) => {
    if (!isWanted(event, settings)) return;
    const message = await messageOf(event, storefront, settings);
    if (message) await settings.onMessage(message);
  });
}

type Settings = ReturnType<typeof readOptions>;

function readOptions(given: MessageOptions) {
  requireOptions(given, "sendMessages");
  refuseWrongOptions(given, names);
  const { onMessage, signal, store_id, success_url, kinds = messageKinds } = given;
  const { consumer = "mail", testMode = false, maxAgeMs = 3 * dayMs, now = Date.now } = given;

  requireSignal(signal);
  if (typeof onMessage !== "function")
    invalidOption("onMessage", "is missing: give a function that sends a message");
  for (const kind of kinds)
    if (!messageKinds.includes(kind))
      invalidOption(
        "kinds",
        `must hold ${messageKinds.join(", ")}: ${String(kind)} is not one of them`,
      );
  if (typeof maxAgeMs !== "number" || !(maxAgeMs > 0))
    invalidOption("maxAgeMs", "must be a number of milliseconds above 0");
  if (success_url !== undefined && !["string", "function"].includes(typeof success_url))
    invalidOption("success_url", "must be an address, or a function that gives one for a store");

  return { onMessage, signal, store_id, success_url, kinds, consumer, testMode, maxAgeMs, now };
}

const isWanted = ({ livemode, created_at }: WebhookEvent, settings: Settings): boolean =>
  (livemode || settings.testMode) && settings.now() - Date.parse(created_at) <= settings.maxAgeMs;

/** Makes the message of an event. Gives null where there is none, or nobody to send it to. */
async function messageOf(
  event: WebhookEvent,
  storefront: MessageSource,
  settings: Settings,
): Promise<Message | null> {
  const customer = customerOf(event);
  // A host's own code may have stored any text here, and that text could name a second reader.
  if (!customer?.email || !emailPattern.test(customer.email)) return null;

  const { id, store_id, livemode } = event;
  const store = await storefront.owner.stores.retrieve(store_id);
  const language = chooseMailLanguage(undefined, store.locale);
  const payLink = linkMaker(storefront, store, { livemode, settings });
  const written = await writeLetter(event, { store, language, payLink });
  if (!written || !settings.kinds.includes(written.kind)) return null;
  const page_link = pagedKinds.has(written.kind) ? await pageLinkOf(storefront, event) : null;
  const letter = withPageLink(written, page_link, { store, language });

  const sheet = { store, language, livemode, name: customer.name };
  return {
    id,
    kind: letter.kind,
    to: customer.email,
    ...renderLetter(letter, sheet),
    data: event,
    page_link,
  };
}

/** The kinds of messages that lead to what they are about. */
const pagedKinds: ReadonlySet<MessageKind> = new Set([
  "order_confirmation",
  "receipt",
  "renewal_notice",
]);

const linkSeconds = (14 * dayMs) / 1_000;

/** Gives null where the host has no customer page, and for an order that is not there any more. */
async function pageLinkOf(
  { owner }: MessageSource,
  event: WebhookEvent,
): Promise<CustomerPageLink | null> {
  const { store_id, livemode, data } = event;
  const customer_id = customerOf(event)?.id;
  const order_id = "subscription" in data ? data.subscription.latest_order_id : data.order.id;
  if (customer_id === undefined || order_id === null) return null;

  const of = { store_id, livemode, customer_id, order_id };
  try {
    return await owner.customers.pageLink({ ...of, ttl_seconds: linkSeconds });
  } catch (error) {
    const isNone = isApiError(error) && noPage.has(error.code);
    if (isNone) return null;
    throw error;
  }
}

const noPage: ReadonlySet<string> = new Set(["invalid_option", "parameter_invalid"]);

function customerOf({ data }: WebhookEvent) {
  if ("subscription" in data) return data.subscription.customer;
  return "customer" in data.order ? data.order.customer : null;
}

interface LinkTerms {
  readonly livemode: boolean;
  readonly settings: Settings;
}

/** Makes the link of a subscription, unless it has ended meanwhile. */
const linkMaker =
  (storefront: MessageSource, store: OwnerStore, { livemode, settings }: LinkTerms) =>
  async (subscription_id: string): Promise<PayLinkShown | null> => {
    const wanted = settings.success_url;
    const success_url = typeof wanted === "function" ? wanted(store) : wanted;
    if (success_url == null) return null;

    const input = { store_id: store.id, livemode, success_url };
    try {
      return await storefront.subscriptions.payLink(subscription_id, input);
    } catch (error) {
      if (isApiError(error) && error.code === "invalid_transition") return null;
      throw error;
    }
  };

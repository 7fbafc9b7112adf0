import type { PixPayer, RecurrenceRequest, RequestedRecurrence } from "vitrine/pix";
import { shuffledWithRepeats } from "../../outbox.ts";
import { answerRequest } from "./books.ts";
import { buyer, type SubscriberOptions, subscribed } from "./subscriber.ts";

export const payer: PixPayer = {
  name: "Ana",
  tax_id: "529.982.247-25",
  ispb: "91193552",
  agencia: "2569",
  conta: "550689-1",
};

/** A subscription that the host charges: its first payment was a plain Pix. */
export async function hosted(options: SubscriberOptions = {}) {
  const told: (RequestedRecurrence & { readonly store_id: string })[] = [];
  const onRecurrence = (one: RequestedRecurrence, store_id: string) =>
    void told.push({ ...one, store_id });
  const shop = await subscribed({
    buyer: { customer: buyer.customer },
    ...options,
    pix: { onRecurrence },
  });
  const { store_id } = shop.where;
  const { bank, gateway } = shop;
  const request = async (more: Partial<RecurrenceRequest> = {}) =>
    gateway.requestRecurrence({ store_id, subscription: await shop.find(), payer, ...more });
  const recurrenceOf = (reference: string) => {
    const found = bank.books().recurrences.get(reference);
    if (!found) throw new Error(`The bank has no recurrence ${reference}.`);
    return found;
  };
  return {
    ...shop,
    told,
    request,
    recurrenceOf,
    find: shop.find,
    look: (reference: string) => gateway.findRecurrence({ store_id, reference }),
    follow: (reference: string) =>
      shop.storefront.subscriptions.followAgreement(shop.id, {
        ...shop.where,
        ...{ gateway: "pix", reference },
      }),
    /** The payer answers, and the bank tells of it. */
    async answer(reference: string, status: "ACEITA" | "REJEITADA" | "EXPIRADA") {
      answerRequest(bank.books(), recurrenceOf(reference), status);
      await bank.outbox.deliver(shuffledWithRepeats);
    },
    updates: async () => (await shop.events()).filter((type) => type === "subscription.updated"),
  };
}

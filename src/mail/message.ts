import type { WebhookEvent } from "../contract/events.ts";
import type { CustomerPageLink, CustomerPageLinkInput } from "../owner/sales/customers.ts";
import type { OwnerStore } from "../owner/stores.ts";
import type { PayLinkInput } from "../payments/inputs.ts";
import type { PayLink } from "../payments/subscriptions.ts";
import type { ConsumeOptions } from "../webhooks/consume.ts";
import type { MessageKind } from "./letter.ts";

/** A message to a buyer, ready to be handed to whatever sends your mail. */
export interface Message {
  /**
   * The id of the event that the message is about, which begins with `evt_`. A message that comes
   * again has the same id: give it to your provider as the key of idempotency.
   */
  readonly id: string;
  readonly kind: MessageKind;
  /** The buyer's e-mail address, as the buyer has typed it. */
  readonly to: string;
  /** The language and region of the words, such as `pt-BR`. */
  readonly locale: string;
  /** One line of plain text. */
  readonly subject: string;
  /** A whole document, without pictures or scripts. */
  readonly html: string;
  readonly text: string;
  readonly store_id: string;
  readonly livemode: boolean;
  /** The event, for a message of your own in place of this one. */
  readonly data: WebhookEvent;
  /**
   * Shows the buyer what the message is about at `storefront.customerPage`: that order and its
   * subscription alone, once, for 14 days. Null when there is no such page, or no such order.
   */
  readonly page_link: CustomerPageLink | null;
}

/** The parts of a storefront that messages are made of. */
export interface MessageSource {
  consumeEvents(
    options: ConsumeOptions,
    handler: (event: WebhookEvent) => Promise<void>,
  ): Promise<void>;
  readonly owner: {
    readonly stores: { retrieve(id: string): Promise<OwnerStore> };
    readonly customers: { pageLink(input: CustomerPageLinkInput): Promise<CustomerPageLink> };
  };
  readonly subscriptions: {
    payLink(subscription_id: string, input: PayLinkInput): Promise<PayLink>;
  };
}

import { fail } from "../contract/errors.ts";
import { emailPattern } from "../domain/text/plain.ts";
import type { CustomerPageLink, CustomerPageLinkInput } from "../owner/sales/customers.ts";
import type { Message, MessageSource } from "./message.ts";
import { renderLetter } from "./render-letter.ts";
import { chooseMailLanguage } from "./texts.ts";
import { pageLinkLetter } from "./write-letter.ts";

/** Says whom to let in at the customer page, and where the message goes. */
export interface PageLinkMessageInput extends CustomerPageLinkInput {
  /** An address that you know to be the customer's. */
  readonly to: string;
  readonly name?: string | null | undefined;
}

/** A message with a link to the customer page. No event is behind it. */
export interface PageLinkMessage extends Omit<Message, "id" | "data"> {
  readonly kind: "page_link";
  readonly page_link: CustomerPageLink;
}

/**
 * Makes a link to `storefront.customerPage` and writes the message that carries it. Nothing is
 * sent: hand it to what sends your mail. Throws like `owner.customers.pageLink`.
 */
export async function writePageLink(
  storefront: Pick<MessageSource, "owner">,
  { to, name = null, ...input }: PageLinkMessageInput,
): Promise<PageLinkMessage> {
  const { owner } = storefront;
  if (!emailPattern.test(to))
    fail("parameter_invalid", { param: "to", message: "to must be an e-mail address." });
  const page_link = await owner.customers.pageLink(input);
  const { store_id, livemode } = input;
  const store = await owner.stores.retrieve(store_id);

  const language = chooseMailLanguage(undefined, store.locale);
  const letter = pageLinkLetter(page_link, { store, language });
  return {
    kind: "page_link",
    to,
    ...renderLetter(letter, { store, language, livemode, name }),
    page_link,
  };
}

import type { Storefront } from "vitrine";
import type { WireReply, WireRequest } from "vitrine/node";
import { html, page, personalHeaders } from "./html.ts";
import { buyerId } from "./seed.ts";

const path = "/my-purchases";

/** The demo's shop on its receipts. */
export const seller = {
  legal_name: "Armazém Vitrine Comércio Ltda.",
  address: "Rua das Vitrines, 100\nSão Paulo, SP",
};

/**
 * Stands for the host's mail: the link that a mail would carry stands on a page, for the buyer
 * of the seeded orders.
 */
export async function answerAccount(
  storefront: Storefront,
  store_id: string,
  request: WireRequest,
): Promise<WireReply | null> {
  const [asked = ""] = request.target.split("?", 1);
  if (asked !== path) return null;

  const customer = { store_id, livemode: false, customer_id: buyerId };
  const { url } = await storefront.owner.customers.pageLink(customer);
  const body = html`<div class="narrow card"><h1>My purchases</h1>
<p>Your own site mails this link to the address of the buyer, because whoever has it sees the orders.
It works once. The buyer of this demo is <code>${buyerId}</code>.</p>
<p><a class="button primary" href="${url}">Open the link of the mail</a></p></div>`;
  return {
    status: 200,
    headers: personalHeaders,
    body: page("My purchases", body),
  };
}

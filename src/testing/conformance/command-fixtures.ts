import type { BuyerFacts, Completion, Submission } from "../../rules/order-commands.ts";
import type { SessionRecord } from "../../rules/records.ts";
import type { CaseContext } from "./case.ts";
import { partition } from "./record-fixtures.ts";

/** This buyer told nothing. */
export const unknownBuyer: BuyerFacts = {
  id: null,
  email: null,
  name: null,
  discord_id: null,
  tax_id: null,
  tax_id_type: null,
  country: null,
};

/** Makes the commands that submit and complete sessions, each with ids of its own. */
export function commandFixtures({ clock, newId }: CaseContext) {
  const orderIds = () => ({
    order: newId("ord"),
    customer: newId("cus"),
    items: [newId("oi")],
    events: [newId("evt"), newId("evt"), newId("evt"), newId("evt")],
    alerts: [newId("alr"), newId("alr")],
    subscription: newId("sub"),
    refund: newId("rf"),
  });

  const shared = (session: SessionRecord) => ({
    ...partition,
    session_id: session.id,
    ids: orderIds(),
    now: clock.now(),
    external_stock: false,
    buyer: unknownBuyer,
  });

  const submission = (session: SessionRecord, changes: Partial<Submission> = {}): Submission => ({
    ...shared(session),
    attempt: {
      id: newId("pay"),
      gateway: "sandbox",
      account: null,
      method_id: null,
      idempotency_key: null,
      expires_at: clock.now() + 3_600_000,
    },
    payment_method_type: "pix",
    ...changes,
  });

  const completion = (session: SessionRecord, changes: Partial<Completion> = {}): Completion => ({
    ...shared(session),
    attempt_id: newId("pay"),
    reference: `r_${session.id}`,
    status: "paid",
    amount: session.amount_total,
    currency: session.currency,
    payment_method_type: null,
    ...changes,
  });

  return { orderIds, submission, completion };
}

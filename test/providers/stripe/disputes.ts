import { type Books, emit, type FakeDispute, type FakeIntent, newId } from "./books.ts";
import { bookBack } from "./transactions.ts";

/** The buyer's bank takes the money back, or asks about it (`warning_needs_response`). */
export function openDispute(
  books: Books,
  intent: FakeIntent,
  status: "needs_response" | "warning_needs_response" = "needs_response",
): FakeDispute {
  const charge = books.charges.get(intent.latest_charge ?? "");
  if (!charge) throw new Error(`${intent.id} has no charge.`);

  const dispute: FakeDispute = {
    id: newId("du"),
    object: "dispute",
    amount: intent.amount_received,
    balance_transactions: [],
    charge: charge.id,
    created: books.now(),
    currency: intent.currency,
    evidence: {},
    evidence_details: {
      due_by: books.now() + 7 * 86_400,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: intent.id,
    reason: "fraudulent",
    status,
  };
  charge.disputed = true;
  books.disputes.set(dispute.id, dispute);
  emit(books, "charge.dispute.created", dispute);
  if (status === "needs_response") emit(books, "charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** An inquiry becomes a dispute, or evidence is sent in. */
export function moveDispute(books: Books, dispute: FakeDispute, status: string): void {
  dispute.status = status;
  emit(books, "charge.dispute.updated", dispute);
}

export function closeDispute(books: Books, dispute: FakeDispute, result: string): void {
  dispute.status = result;
  // The report shows what the bank has kept in the end.
  if (result === "lost") bookBack(books, dispute, "dispute");
  emit(books, "charge.dispute.closed", dispute);
  if (result === "won") emit(books, "charge.dispute.funds_reinstated", dispute);
}

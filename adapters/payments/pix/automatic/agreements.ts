import type { Agreement } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount } from "../amounts.ts";
import { readTime } from "../times.ts";
import { isOver, isRecurrenceId, label, type Recurrence } from "./recurrences.ts";

// A recurrence that a payer was asked for (the Banco Central's journey 1) names its subscription as
// `contrato`. What the bank shows is all that is known of it: nothing is stored until it is active.

/** Gives the subscription that a recurrence was asked for. Null stands for any other recurrence. */
export function subscriptionOf({ vinculo }: Recurrence): string | null {
  const contract = vinculo?.contrato;
  return typeof contract === "string" && /^sub_\w+$/.test(contract) ? contract : null;
}

/** Tells how a recurrence stands that a payer was asked for. Null stands for any other one. */
export function agreementOf(
  recurrence: Recurrence,
  { store_id, now }: { readonly store_id: string; readonly now: number },
): Agreement | null {
  const { idRec: reference, status, atualizacao } = recurrence;
  const subscription_id = subscriptionOf(recurrence);
  if (subscription_id === null || !isRecurrenceId(reference)) return null;

  const updates = Array.isArray(atualizacao) ? atualizacao : [];
  const approved = updates.find((one: { readonly status?: unknown }) => one?.status === "APROVADA");
  const at = readTime(approved?.data);
  const isActive = status === "APROVADA";
  const amount = fromPixAmount(recurrence.valor?.valorRec);
  return {
    ...{ store_id, subscription_id },
    status: isActive ? "active" : isOver(recurrence) ? "over" : "pending",
    ...(amount !== null && { amount }),
    saved_method: { reference, kind: "pix", label },
    consent: { text: wordsOf(recurrence), at: Number.isNaN(at) ? now : at },
  };
}

/** Says what the payer has authorized, in the terms that their bank has shown. */
function wordsOf({ valor, calendario }: Recurrence): string {
  const { valorRec, valorMinimoRecebedor } = valor ?? {};
  const isFixed = fromPixAmount(valorRec) !== null;
  const amount = isFixed ? `R$ ${valorRec}` : `a limit of at least R$ ${valorMinimoRecebedor}`;
  const { periodicidade, dataInicial } = calendario ?? {};
  const terms = `${amount}, ${periodicidade}, from ${dataInicial}.`;
  return `${label}, authorized at the payer's bank: ${terms}`;
}

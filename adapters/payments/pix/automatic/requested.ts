import { readTime } from "../times.ts";
import { subscriptionOf } from "./agreements.ts";
import { isRecurrenceId, type Recurrence, type RecurrenceRequested } from "./recurrences.ts";

/** How a recurrence stands that a payer was asked for. */
export interface RequestedRecurrence {
  /** The bank's id of the recurrence: `subscriptions.followAgreement` takes it. */
  readonly reference: string;
  /** The bank's id of the newest request. Null when a kill left none. */
  readonly request_id: string | null;
  /** The library's id of the subscription: `sub_…`. */
  readonly subscription_id: string;
  readonly status:
    | "created"
    | "sent"
    | "received"
    | "accepted"
    | "rejected"
    | "expired"
    | "canceled";
}

const states: Readonly<Record<string, RequestedRecurrence["status"]>> = {
  CRIADA: "created",
  ENVIADA: "sent",
  RECEBIDA: "received",
  ACEITA: "accepted",
  APROVADA: "accepted",
  REJEITADA: "rejected",
  EXPIRADA: "expired",
  CANCELADA: "canceled",
};

const waiting: readonly unknown[] = ["CRIADA", "ENVIADA", "RECEBIDA", "ACEITA"];

/** Tells how a recurrence stands that a payer was asked for. Null stands for any other one. */
export function requestedOf(recurrence: Recurrence): RequestedRecurrence | null {
  const { idRec: reference, status } = recurrence;
  const subscription_id = subscriptionOf(recurrence);
  if (subscription_id === null || !isRecurrenceId(reference)) return null;

  const newest = newestOf(recurrence);
  // The recurrence stays `CRIADA` until the payer answers: only the request tells more.
  const told = status === "CRIADA" && newest ? newest.status : status;
  const state = states[String(told)];
  if (!state) throw new Error(`The bank shows the recurrence ${reference} as ${String(told)}.`);
  const id = newest?.idSolicRec;
  return {
    ...{ reference, subscription_id },
    request_id: typeof id === "string" ? id : null,
    status: state,
  };
}

/** Gives the time, in epoch milliseconds, at which the bank made a recurrence or a request. */
export const madeAt = ({ atualizacao }: Recurrence | RecurrenceRequested): number =>
  readTime(atualizacao?.[0]?.data) || 0;

/** Gives the newest request of a recurrence. One that waits for the payer comes before others. */
export function newestOf({ solicitacao }: Recurrence): RecurrenceRequested | undefined {
  const all: readonly RecurrenceRequested[] = Array.isArray(solicitacao) ? solicitacao : [];
  const open = all.find(({ status }) => waiting.includes(status));
  return open ?? all.toSorted((a, b) => madeAt(a) - madeAt(b)).at(-1);
}

/** Tells whether the payer was asked, and may answer or has said yes. */
export const isAsked = (recurrence: Recurrence): boolean =>
  waiting.includes(newestOf(recurrence)?.status);

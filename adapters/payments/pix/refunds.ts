import { dayMs } from "#core/domain/durations.ts";
import type { RefundQuery, RefundRequest } from "#core/payments/gateway/gateway.ts";
import type { GatewayRefund } from "#core/payments/gateway/gateway-results.ts";
import { fromPixAmount, toPixAmount } from "./amounts.ts";
import type { Bank, Devolution, ReceivedPix } from "./bank.ts";
import { isTxid, readCharge } from "./charges.ts";
import { BankRefusal } from "./problems.ts";
import { moneyOf } from "./results.ts";
import { readTime } from "./times.ts";

/** A bank sends a Pix back within 90 days of its settlement. */
export const refundableMs = 90 * dayMs;
/** The id of a Pix holds the time at which the payer began it; settlement may be later. */
const surelyRefundableMs = refundableMs - dayMs;

/** Names a devolução by the Pix and by its own id there, which is the bank's path to it. */
export const refundReference = (endToEndId: string, id: string): string => `${endToEndId}/${id}`;

/** Sends money back. A refusal of the bank gives a failed refund, and no answer throws. */
export async function createRefund(
  bank: Bank,
  request: RefundRequest,
  now: number,
): Promise<GatewayRefund> {
  const { amount, signal } = request;
  const id = devolutionId(request.id);
  const endToEndId = await moneyToReturn(bank, request);
  if (await isTooOld(bank, { endToEndId, now, signal }))
    return failed("A bank takes no refund of a Pix after 90 days.");

  try {
    const body = { valor: toPixAmount(amount) };
    const made = await bank.call({ method: "PUT", path: pathOf(endToEndId, id), body, signal });
    return refundResult(endToEndId, made as Devolution);
  } catch (error) {
    if (!(error instanceof BankRefusal)) throw error;

    // The bank refuses an id that it knows, which means that an earlier call has made this refund.
    const known =
      error.of === "request" ? await readDevolution(bank, { endToEndId, id, signal }) : null;
    return known ? refundResult(endToEndId, known) : failed(error.message);
  }
}

const failed = (failure_reason: string): GatewayRefund => ({
  status: "failed",
  reference: null,
  failure_reason,
});

/** Asks how a refund stands. Null means that the bank has none under this id. */
export async function getRefund(
  bank: Bank,
  { id, refund_reference, payment_reference, signal }: RefundQuery,
): Promise<GatewayRefund | null> {
  const [named, namedId] = refund_reference?.split("/") ?? [];
  const endToEndId = named ?? payment_reference;
  if (endToEndId === null) throw new Error(`No Pix of the refund ${id} is known.`);

  const asked = { endToEndId, id: namedId ?? devolutionId(id), signal };
  const devolution = await readDevolution(bank, asked);
  return devolution && refundResult(endToEndId, devolution);
}

/** Writes `rf_….2` as the API takes it: with letters and digits alone. */
const devolutionId = (refund_id: string): string => refund_id.replace(/[^a-zA-Z0-9]/g, "");

/** Gives our `rf_…` of a devolução that we have asked for, and null for one of the bank's own. */
export function refundIdOf(devolution_id: string): string | null {
  const [, id] = /^rf([0-9A-HJKMNP-TV-Z]{26})\d*$/.exec(devolution_id) ?? [];
  return id === undefined ? null : `rf_${id}`;
}

/** Finds the Pix that the money came by. A charge that was paid once names it. */
async function moneyToReturn(
  bank: Bank,
  { payment_reference, reference, signal }: RefundRequest,
): Promise<string> {
  if (payment_reference !== null) return payment_reference;

  const charge = isTxid(reference) ? await readCharge(bank, reference, signal) : null;
  const [paid] = charge ? moneyOf(charge) : [];
  if (!paid) throw new Error(`The bank names no Pix of ${reference}.`);
  return paid.endToEndId;
}

async function isTooOld(
  bank: Bank,
  { endToEndId, now, signal }: { endToEndId: string; now: number; signal: AbortSignal },
): Promise<boolean> {
  const begun = timeOfPix(endToEndId);
  if (begun !== null && now - begun < surelyRefundableMs) return false;

  const path = `pix/${encodeURIComponent(endToEndId)}`;
  const pix = (await bank.call({ method: "GET", path, signal })) as ReceivedPix | null;
  return now - readTime(pix?.horario) > refundableMs;
}

/**
 * Reads the time in the id of a Pix: `E`, the payer's bank, then the minute in UTC:
 * `E12345678202609091221…`.
 */
function timeOfPix(endToEndId: string): number | null {
  const [, year, month, day, hour, minute] =
    /^E\w{8}(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})/.exec(endToEndId) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(time) ? null : time;
}

const pathOf = (endToEndId: string, id: string): string =>
  `pix/${encodeURIComponent(endToEndId)}/devolucao/${encodeURIComponent(id)}`;

const readDevolution = async (
  bank: Bank,
  { endToEndId, id, signal }: { endToEndId: string; id: string; signal: AbortSignal },
): Promise<Devolution | null> =>
  (await bank.call({ method: "GET", path: pathOf(endToEndId, id), signal })) as Devolution | null;

function refundResult(endToEndId: string, devolution: Devolution): GatewayRefund {
  const { id, valor, motivo } = devolution;
  const amount = fromPixAmount(valor);
  return {
    status: refundStatus(devolution),
    reference: typeof id === "string" ? refundReference(endToEndId, id) : null,
    ...(amount !== null && { amount }),
    ...(typeof motivo === "string" && { failure_reason: motivo }),
  };
}

/**
 * Reads the state of a devolução. A status that this version of the API does not
 * know leaves the refund open.
 */
export function refundStatus({ status }: Devolution): GatewayRefund["status"] {
  if (status === "DEVOLVIDO") return "succeeded";
  return status === "NAO_REALIZADO" ? "failed" : "pending";
}

import type { PaymentMethodRecord } from "../../rules/records.ts";
import type { PaymentContext } from "../context.ts";
import type { PaymentGateway } from "./gateway.ts";

export const findGateway = (
  { gateways }: Pick<PaymentContext, "gateways">,
  id: string,
  livemode: boolean,
): PaymentGateway | null =>
  gateways.find((gateway) => gateway.id === id && gateway.livemode === livemode) ?? null;

/** Tells whether a gateway keeps a method of this type without a payment, as a trial needs. */
export function savesAlone(
  ctx: Pick<PaymentContext, "gateways">,
  { gateway: id, type }: Pick<PaymentMethodRecord, "gateway" | "type">,
  livemode: boolean,
): boolean {
  const gateway = id === null ? null : findGateway(ctx, id, livemode);
  return gateway?.saveMethod !== undefined && (gateway.savedTypes?.includes(type) ?? true);
}

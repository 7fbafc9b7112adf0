import type { PaymentMethodRecord } from "../../rules/records.ts";
import type { PaymentGateway } from "./gateway.ts";

/** Tells whether a gateway keeps a method of this type without a payment, as a trial needs. */
export const savesAlone = (
  gateways: readonly PaymentGateway[],
  { gateway: id, type }: Pick<PaymentMethodRecord, "gateway" | "type">,
  livemode: boolean,
): boolean =>
  gateways.some(
    (gateway) =>
      gateway.id === id &&
      gateway.livemode === livemode &&
      gateway.saveMethod !== undefined &&
      (gateway.savedTypes?.includes(type) ?? true),
  );

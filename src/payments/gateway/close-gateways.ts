import type { PaymentContext } from "../context.ts";
import type { PaymentGateway } from "./gateway.ts";

/** Closes what each gateway keeps open. If one fails, the others are closed all the same. */
export async function closeGateways({
  gateways,
  onError,
}: Pick<PaymentContext, "gateways" | "onError">): Promise<void> {
  const close = async (gateway: PaymentGateway): Promise<void> => {
    try {
      await gateway.close?.();
    } catch (error) {
      onError(error, `gateway:${gateway.id}`);
    }
  };
  await Promise.all(gateways.map(close));
}

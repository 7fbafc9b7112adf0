import type { PaymentContext } from "./context.ts";
import type { PaymentGateway } from "./gateway.ts";

/** Has each gateway close what it keeps open. One that fails keeps none of the others back. */
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

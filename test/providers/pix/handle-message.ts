import { isApiError, type Storefront } from "vitrine";
import { bankMessage } from "./setup.ts";

/** Takes a message as a host's endpoint does, and gives the status of its answer. */
export async function handleBankMessage(
  { checkout }: Storefront,
  { body, query }: { readonly body: string; readonly query: string },
): Promise<number> {
  try {
    const message = { livemode: false, ...bankMessage(body, query) };
    const { outcome } = await checkout.handleNotification("pix", message);
    return outcome === "unknown_payment" ? 409 : 200;
  } catch (error) {
    if (isApiError(error) && error.code === "service_unavailable") return 503;
    throw error;
  }
}

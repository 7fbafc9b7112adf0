import { type Storefront, sandboxGateway } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import type { WireReply, WireRequest } from "vitrine/node";
import type { DemoOptions } from "./options.ts";
import { UsageError } from "./options.ts";

/** A payment provider that the demo shows beside the sandbox. */
export interface DemoProvider {
  readonly gateways: readonly PaymentGateway[];
  /** Offers the provider's methods in the stores, and takes its messages from now on. */
  start(storefront: Storefront, store_ids: readonly string[]): Promise<void>;
  /**
   * Answers the addresses of the provider and of its messages. It gives null for
   * any other address.
   */
  serve(request: WireRequest): Promise<WireReply | null>;
  close(): Promise<void>;
}

export async function openProvider(
  kind: DemoOptions["gateway"],
  origin: string,
): Promise<DemoProvider> {
  if (kind === "sandbox") return sandboxAlone;

  if (kind === "pix") return (await import("./pix.ts")).openFakeBank(origin);

  // The fake and the real client of Stripe come with the packages of the tests.
  const { openFakeStripe } = await import("./stripe.ts").catch((error: unknown) => {
    throw new UsageError(
      `--gateway stripe needs the packages of the tests (npm run packages test): ${String(error)}`,
    );
  });
  return openFakeStripe(origin);
}

const sandboxAlone: DemoProvider = {
  gateways: [sandboxGateway()],
  start: async () => {},
  serve: async () => null,
  close: async () => {},
};

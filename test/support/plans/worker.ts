// A process of a host that maintains a shop with plans, and that is killed on its way.
import { type PixOptions, pixGateway } from "vitrine/pix";
import { stripeGateway } from "vitrine/stripe";
import { clientOf, webhookSecret } from "../../providers/stripe/fake-stripe.ts";
import { runCrashWorker } from "../crash/worker.ts";

/** How a worker reaches the fakes of both providers. */
export interface PlansProviders {
  /** The port of the fake of Stripe. */
  readonly stripe: number;
  readonly pix: Pick<PixOptions, "baseUrl" | "callback" | "automatic"> & {
    readonly account: Exclude<PixOptions["account"], (...args: never) => unknown>;
  };
}

runCrashWorker(({ stripe, pix }: PlansProviders) => ({
  gateways: (now) => [
    stripeGateway({ stripe: clientOf(stripe), webhookSecret, livemode: false, now }),
    pixGateway({ ...pix, livemode: false, now }),
  ],
}));

import { stripeGateway } from "vitrine/stripe";
import { runCrashWorker } from "../../support/crash/worker.ts";
import { testCards } from "./buyer.ts";
import { clientOf, webhookSecret } from "./fake-stripe.ts";

/** How a worker reaches the fake of Stripe. */
export interface StripeCrashJob {
  readonly port: number;
}

runCrashWorker(({ port }: StripeCrashJob) => ({
  gateways: (now) => [
    stripeGateway({ stripe: clientOf(port), webhookSecret, livemode: false, now }),
  ],
  /** A Pix code is paid after the processes have ended. */
  async pay(action) {
    if (action.type !== "redirect") return;
    const body = new URLSearchParams({ card: testCards.succeeds });
    await fetch(action.url, { method: "POST", body, redirect: "manual" });
  },
}));

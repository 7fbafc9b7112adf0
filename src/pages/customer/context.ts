import type { Chooser } from "../../domain/text/choose-language.ts";
import type { HttpContext } from "../../http/context.ts";
import type { WireRequest } from "../../http/wire.ts";
import type { CheckoutService } from "../../payments/checkout/checkout-service.ts";
import type { SubscriptionService } from "../../payments/subscriptions.ts";
import type { ModeClock } from "../../rules/clock/mode-clock.ts";
import type { CheckoutPageSettings } from "../page-options.ts";
import type { CustomerPageOptions } from "./options.ts";
import type { CustomerLanguage } from "./texts/language.ts";
import type { CustomerTextName } from "./texts/text-names.ts";

/** The page receives this. `createStorefront` makes it once. */
export interface CustomerPageContext {
  /** Null when the host has no such page: it then answers nowhere. */
  readonly options: CustomerPageOptions | null;
  /** The look and the texts of the checkout page, which it shares. */
  readonly settings: CheckoutPageSettings;
  readonly http: HttpContext;
  readonly subscriptions: SubscriptionService;
  readonly checkout: Pick<CheckoutService, "view">;
  readonly clock: ModeClock;
  onError(error: unknown, where: string): void;
}

/** The page with its options, which are there once it answers. */
export interface Place {
  readonly ctx: CustomerPageContext;
  readonly options: CustomerPageOptions;
  /** The path of the page, without a slash at its end. */
  readonly base: string;
  readonly chooseLanguage: Chooser<CustomerTextName>;
}

/** A request for a page or a form. */
export interface Asked {
  readonly place: Place;
  readonly request: WireRequest;
  /** The path below that of the page. */
  readonly below: string;
  readonly query: string;
  /** The language of a reader whose store is not known yet. */
  readonly language: CustomerLanguage;
}

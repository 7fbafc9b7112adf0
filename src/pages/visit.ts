import type { Store } from "../contract/schemas.ts";
import type { HttpContext } from "../http/context.ts";
import type { WireReply, WireRequest } from "../http/wire.ts";
import type { CheckoutService, CheckoutView } from "../payments/checkout/checkout-service.ts";
import type { PaymentGateway } from "../payments/gateway/gateway.ts";
import type { ModeClock } from "../rules/clock/mode-clock.ts";
import type { CustomerPageOptions, ReceiptSeller } from "./customer/options.ts";
import { type CheckoutPageSettings, isColor } from "./page-options.ts";
import { stateOf } from "./page-state.ts";
import { iconName, scriptName, styleName } from "./parts/assets.ts";
import { isTrial } from "./parts/renewal.ts";
import { type WhatNext, whatNextOf } from "./parts/what-next.ts";
import { elementOf, renderPage, type Shown } from "./render-page.ts";
import { htmlReply } from "./replies.ts";
import type { PageFiles, Scene } from "./scene.ts";
import type { ChooseLanguage } from "./texts/language.ts";

/** The page receives this. `createStorefront` makes it once. */
export interface PageContext {
  readonly checkout: CheckoutService;
  readonly settings: CheckoutPageSettings;
  /** Reads products and coupons, and changes sessions, as the API does. */
  readonly http: HttpContext;
  /** The address of the page of buyers. Null when the host has none. */
  readonly customerPageUrl: string | null;
  readonly gateways: readonly PaymentGateway[];
  /** Who sells, where the checkout page has no `seller` of its own. */
  readonly seller: CustomerPageOptions["seller"];
  /** True when the sandbox takes test payments here. */
  readonly hasSandbox: boolean;
  readonly clock: ModeClock;
  now(): number;
  onError(error: unknown, where: string): void;
}

/** One request for the page of a session. */
export interface Visit {
  readonly ctx: PageContext;
  readonly chooseLanguage: ChooseLanguage;
  readonly request: WireRequest;
  /** The page and its files are below this path, which has no slash at its end. */
  readonly base: string;
  readonly token: string;
  readonly query: string;
  /** The time of the session's mode, in epoch milliseconds. */
  readonly now: number;
  /** True when the clock of the test mode was turned. */
  readonly isTurned: boolean;
}

export const filesOf = (base: string, brand: string | null): PageFiles => ({
  style: `${base}/${styleName(brand)}`,
  script: `${base}/${scriptName}`,
  icon: `${base}/${iconName(brand)}`,
});

/** Gives the path of the visited page, as it stands in links and forms. */
export const pathOf = ({ base, token }: Pick<Visit, "base" | "token">): string =>
  `${base}/${token}`;

export async function sceneOf(visit: Visit, view: CheckoutView): Promise<Scene> {
  const { ctx, chooseLanguage, request, base } = visit;
  const language = chooseLanguage(request.header("accept-language"), view.store.locale);
  const isPaid = stateOf(view, visit.now) === "paid";
  return {
    view,
    language,
    now: visit.now,
    isTurned: visit.isTurned,
    base,
    path: pathOf(visit),
    token: visit.token,
    customerPageUrl: ctx.customerPageUrl,
    origin: new URL(view.session.checkout_url).origin,
    files: filesOf(base, await brandOf(ctx, view.store)),
    pictures: ctx.settings.pictures,
    sandbox: ctx.hasSandbox && !view.livemode,
    seller: await sellerOf(ctx, view.store),
    takesCoupon: await takesCoupon(ctx, view),
    whatNext: isPaid ? await nextOf(ctx, { store: view.store, language }) : null,
  };
}

/**
 * Says whether the page has a field for a coupon. A session keeps its amounts once a payment has
 * begun, and always when it renews a subscription. A function that fails offers no coupon.
 */
async function takesCoupon(
  { settings: { coupons }, onError }: PageContext,
  { order, session, store, recurring }: CheckoutView,
): Promise<boolean> {
  if (order !== null || session.status !== "open") return false;
  if (isTrial(recurring) || recurring?.renews) return false;
  if (typeof coupons !== "function") return coupons;
  try {
    return (await coupons(store)) === true;
  } catch (error) {
    onError(error, "checkoutPage.coupons");
    return false;
  }
}

/** A function that fails costs no sale: the page says nothing of the seller. */
async function sellerOf(
  { settings, seller, onError }: PageContext,
  store: Store,
): Promise<ReceiptSeller | null> {
  try {
    return (await (settings.seller ?? seller)?.(store)) ?? null;
  } catch (error) {
    onError(error, "checkoutPage.seller");
    return null;
  }
}

/** A function that fails leaves the words out, and the buyer still learns that they have paid. */
async function nextOf(
  { settings: { whatNext }, onError }: PageContext,
  reader: Parameters<typeof whatNextOf>[1],
): Promise<WhatNext | null> {
  try {
    return await whatNextOf(whatNext, reader);
  } catch (error) {
    onError(error, "checkoutPage.whatNext");
    return null;
  }
}

/** A wrong colour, or a function that fails, costs no sale: the page's own colour is taken. */
export async function brandOf(
  { settings: { brandColor }, onError }: Pick<PageContext, "settings" | "onError">,
  store: Store,
): Promise<string | null> {
  if (typeof brandColor !== "function") return brandColor;
  try {
    const color = (await brandColor(store)) ?? null;
    if (color === null || isColor(color)) return color;
    throw new Error("checkoutPage.brandColor must give a colour like `#1a6b3c`, or null.");
  } catch (error) {
    onError(error, "checkoutPage.brandColor");
    return null;
  }
}

export const pageReply = (scene: Scene, shown: Shown, status = 200): WireReply =>
  htmlReply(
    {
      status,
      lang: scene.language.lang,
      pictures: scene.pictures,
      view: scene.view,
      element: elementOf(scene, shown),
    },
    renderPage(scene, shown),
  );

import { check, checkId } from "../input/check.ts";
import { foreignId } from "../input/fields.ts";
import { createOrigins, createReturnUrls, type OwnerAddresses } from "./addresses.ts";
import { createAlerts, type OwnerAlerts } from "./alerts.ts";
import { createCategories, type OwnerCategories } from "./categories.ts";
import { type OwnerContext, requireStore } from "./context.ts";
import { createCoupons, type OwnerCoupons } from "./coupons.ts";
import { createDeliveries } from "./deliveries.ts";
import { createEndpoints } from "./endpoints.ts";
import { createKeys, type OwnerKeys } from "./keys.ts";
import { createPaymentMethods, type OwnerPaymentMethods } from "./payment-methods.ts";
import { createProducts, type OwnerProducts } from "./products.ts";
import { createStores, type OwnerStores } from "./stores.ts";

/**
 * What a store owner's dashboard does. The host calls it for people it has let in: nothing here asks who is calling. Wrong input throws at the
 * call, before anything is stored, with `param` naming the field.
 */
export interface Owner {
  readonly stores: OwnerStores;
  readonly keys: OwnerKeys;
  readonly origins: OwnerAddresses;
  readonly returnUrls: OwnerAddresses;
  readonly products: OwnerProducts;
  readonly categories: OwnerCategories;
  readonly paymentMethods: OwnerPaymentMethods;
  readonly coupons: OwnerCoupons;
  readonly endpoints: ReturnType<typeof createEndpoints>;
  readonly deliveries: ReturnType<typeof createDeliveries>;
  readonly alerts: OwnerAlerts;
  /**
   * Blanks a customer of the store wherever they stand, in both modes (LGPD, GDPR): sessions, stored replies, orders, subscriptions, coupon uses, event
   * bytes, delivery snippets. Numbers, items and amounts stay. False when nothing of them was found.
   */
  eraseCustomer(store_id: string, customer_id: string): Promise<boolean>;
  /** Deletes all that test keys made; the test mode's stock is the live one's again. Endpoints and keys stay. */
  wipeTestData(store_id: string): Promise<void>;
}

export const createOwner = (ctx: OwnerContext): Owner => ({
  stores: createStores(ctx),
  keys: createKeys(ctx),
  origins: createOrigins(ctx),
  returnUrls: createReturnUrls(ctx),
  products: createProducts(ctx),
  categories: createCategories(ctx),
  paymentMethods: createPaymentMethods(ctx),
  coupons: createCoupons(ctx),
  endpoints: createEndpoints(ctx),
  deliveries: createDeliveries(ctx),
  alerts: createAlerts(ctx),
  async eraseCustomer(store_id, customer_id) {
    check(foreignId, customer_id, "customer_id");
    await requireStore(ctx, checkId("store_id", store_id));
    return ctx.storage.privacy.eraseCustomer(store_id, customer_id);
  },
  async wipeTestData(store_id) {
    await requireStore(ctx, checkId("store_id", store_id));
    await ctx.storage.privacy.wipeTestData(store_id);
    ctx.changed(store_id);
  },
});

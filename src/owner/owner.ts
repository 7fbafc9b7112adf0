import { createOrigins, createReturnUrls, type OwnerAddresses } from "./addresses.ts";
import { createAlerts, type OwnerAlerts } from "./alerts.ts";
import { createCategories, type OwnerCategories } from "./categories.ts";
import type { OwnerContext } from "./context.ts";
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
});

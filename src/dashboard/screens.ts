import type { Screen, Visit } from "./screen.ts";
import { addressesScreen } from "./screens/addresses.ts";
import { alertsScreen } from "./screens/alerts.ts";
import { categoryScreens } from "./screens/categories.ts";
import { couponScreens } from "./screens/coupons.ts";
import { deliveriesScreen, deliveryScreen } from "./screens/deliveries.ts";
import { endpointQuestions, endpointScreen } from "./screens/endpoint.ts";
import { keysScreen, newKeyScreen, revokeKeyScreen } from "./screens/keys.ts";
import { overviewScreen } from "./screens/overview.ts";
import { paymentMethodScreens } from "./screens/payment-methods.ts";
import { deleteProductScreen, newProductScreen, productScreen } from "./screens/product.ts";
import { productsScreen } from "./screens/products.ts";
import { sessionsScreen } from "./screens/sessions.ts";
import { settingsScreen } from "./screens/settings.ts";
import { signOutScreen } from "./screens/sign-out.ts";
import { newStoreScreen, storesScreen } from "./screens/stores.ts";
import { newEndpointScreen, webhooksScreen } from "./screens/webhooks.ts";

/** The screens that belong to no store. */
export const globalScreens: readonly Screen<Visit>[] = [
  storesScreen,
  newStoreScreen,
  signOutScreen,
];

/** Every screen of a store. A new one is a file in `screens`, and its entry here. */
export const storeScreens: readonly Screen[] = [
  overviewScreen,
  productsScreen,
  newProductScreen,
  productScreen,
  deleteProductScreen,
  ...categoryScreens,
  ...couponScreens,
  ...paymentMethodScreens,
  addressesScreen,
  keysScreen,
  newKeyScreen,
  revokeKeyScreen,
  webhooksScreen,
  newEndpointScreen,
  endpointScreen,
  ...endpointQuestions,
  deliveriesScreen,
  deliveryScreen,
  alertsScreen,
  settingsScreen,
  sessionsScreen,
];

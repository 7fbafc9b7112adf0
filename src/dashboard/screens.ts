import type { Download, Screen, Visit } from "./screen.ts";
import { addressesScreen } from "./screens/addresses.ts";
import { alertsScreen } from "./screens/alerts.ts";
import { auditScreen } from "./screens/audit.ts";
import { categoryScreens } from "./screens/categories.ts";
import { checkoutSessionsScreen } from "./screens/checkout-sessions.ts";
import { couponScreens, couponsDownload } from "./screens/coupons.ts";
import { customerScreen, eraseCustomerScreen } from "./screens/customer.ts";
import { customersDownload, customersScreen } from "./screens/customers.ts";
import { deliveriesScreen, deliveryScreen } from "./screens/deliveries.ts";
import { disputesDownload, disputesScreen } from "./screens/disputes.ts";
import { endpointQuestions, endpointScreen } from "./screens/endpoint.ts";
import { resendScreen } from "./screens/endpoint-resend.ts";
import { eventScreen, eventsScreen } from "./screens/events.ts";
import { keysScreen, newKeyScreen, revokeKeyScreen } from "./screens/keys.ts";
import { orderScreen } from "./screens/order.ts";
import { cancelOrderScreen, returnPaymentScreen } from "./screens/order-questions.ts";
import { refundScreen } from "./screens/order-refund.ts";
import { ordersDownload, ordersScreen } from "./screens/orders.ts";
import { overviewScreen } from "./screens/overview.ts";
import { paymentMethodScreens } from "./screens/payment-methods.ts";
import { paymentsDownload, paymentsScreen } from "./screens/payments.ts";
import { deleteProductScreen, newProductScreen, productScreen } from "./screens/product.ts";
import { productsDownload, productsScreen } from "./screens/products.ts";
import { refundsDownload, refundsScreen } from "./screens/refunds.ts";
import { requestScreen, requestsScreen } from "./screens/requests.ts";
import { sessionsScreen } from "./screens/sessions.ts";
import { settingsScreen } from "./screens/settings.ts";
import { signOutScreen } from "./screens/sign-out.ts";
import { newStoreScreen, storesScreen } from "./screens/stores.ts";
import {
  cancelSubscriptionScreen,
  subscriptionScreen,
  subscriptionsDownload,
  subscriptionsScreen,
} from "./screens/subscriptions.ts";
import { newEndpointScreen, webhooksScreen } from "./screens/webhooks.ts";

/** These screens belong to no store. */
export const globalScreens: readonly Screen<Visit>[] = [
  storesScreen,
  newStoreScreen,
  signOutScreen,
];

/** Lists every screen of a store. A new one is a file in `screens`, and its entry here. */
export const storeScreens: readonly Screen[] = [
  overviewScreen,
  ordersScreen,
  orderScreen,
  refundScreen,
  cancelOrderScreen,
  returnPaymentScreen,
  customersScreen,
  customerScreen,
  eraseCustomerScreen,
  subscriptionsScreen,
  subscriptionScreen,
  cancelSubscriptionScreen,
  paymentsScreen,
  refundsScreen,
  disputesScreen,
  checkoutSessionsScreen,
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
  resendScreen,
  deliveriesScreen,
  deliveryScreen,
  eventsScreen,
  eventScreen,
  requestsScreen,
  requestScreen,
  alertsScreen,
  auditScreen,
  settingsScreen,
  sessionsScreen,
];

/** Lists every file of a store: one for each list that can be exported. */
export const storeDownloads: readonly Download[] = [
  ordersDownload,
  paymentsDownload,
  refundsDownload,
  disputesDownload,
  customersDownload,
  subscriptionsDownload,
  productsDownload,
  couponsDownload,
];

/** Lists every address of a store. */
export const storePlaces: readonly (Screen | Download)[] = [...storeScreens, ...storeDownloads];

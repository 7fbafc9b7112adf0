import type { Download, Screen, Visit } from "./screen.ts";
import { alertsScreen } from "./screens/alerts.ts";
import { auditScreen } from "./screens/audit.ts";
import { booksDownload, booksScreen } from "./screens/books.ts";
import { categoryScreens } from "./screens/catalog/categories.ts";
import { couponScreens, couponsDownload } from "./screens/catalog/coupons.ts";
import { importScreen } from "./screens/catalog/import/import.ts";
import { paymentMethodScreens } from "./screens/catalog/payment-methods.ts";
import { deleteProductScreen, newProductScreen, productScreen } from "./screens/catalog/product.ts";
import { productsDownload, productsScreen } from "./screens/catalog/products.ts";
import { togetherScreen } from "./screens/catalog/together/together.ts";
import { variantsScreen } from "./screens/catalog/variants/variants.ts";
import { addressesScreen } from "./screens/developers/addresses.ts";
import { deliveriesScreen, deliveryScreen } from "./screens/developers/deliveries.ts";
import { endpointQuestions, endpointScreen } from "./screens/developers/endpoint.ts";
import { resendScreen } from "./screens/developers/endpoint-resend.ts";
import { eventScreen, eventsScreen } from "./screens/developers/events.ts";
import { keyScreen, keysScreen, newKeyScreen, revokeKeyScreen } from "./screens/developers/keys.ts";
import { requestScreen, requestsScreen } from "./screens/developers/requests.ts";
import { testClockScreen } from "./screens/developers/test-clock.ts";
import { newEndpointScreen, webhooksScreen } from "./screens/developers/webhooks.ts";
import { overviewScreen } from "./screens/overview/overview.ts";
import { passkeysScreen } from "./screens/people/passkeys.ts";
import { inviteScreen, peopleScreen } from "./screens/people/people.ts";
import { endPersonScreen, personScreen } from "./screens/people/person.ts";
import { checkoutSessionsScreen } from "./screens/sales/checkout-sessions.ts";
import { customerScreen, eraseCustomerScreen } from "./screens/sales/customer.ts";
import { customersDownload, customersScreen } from "./screens/sales/customers.ts";
import { disputesDownload, disputesScreen } from "./screens/sales/disputes.ts";
import { orderScreen } from "./screens/sales/order.ts";
import { cancelOrderScreen, returnPaymentScreen } from "./screens/sales/order-questions.ts";
import { ordersDownload, ordersScreen } from "./screens/sales/orders.ts";
import { paymentsDownload, paymentsScreen } from "./screens/sales/payments.ts";
import { receiptScreen } from "./screens/sales/receipt.ts";
import { refundScreen } from "./screens/sales/refund/order-refund.ts";
import { refundsDownload, refundsScreen } from "./screens/sales/refunds.ts";
import { searchScreen } from "./screens/search.ts";
import { sessionsScreen } from "./screens/sessions.ts";
import { settingsScreen } from "./screens/settings.ts";
import { signOutScreen } from "./screens/sign-out.ts";
import { newStoreScreen, storesScreen } from "./screens/stores.ts";
import {
  cancelSubscriptionScreen,
  subscriptionScreen,
  subscriptionsDownload,
  subscriptionsScreen,
} from "./screens/subscriptions/subscriptions.ts";

import { viewsScreen } from "./screens/views.ts";

/** The screens that belong to no store. */
export const globalScreens: readonly Screen<Visit>[] = [
  storesScreen,
  newStoreScreen,
  signOutScreen,
  passkeysScreen,
];

/** Lists every screen of a store. A new one is a file in `screens`, and its entry here. */
export const storeScreens: readonly Screen[] = [
  overviewScreen,
  searchScreen,
  viewsScreen,
  ordersScreen,
  booksScreen,
  orderScreen,
  receiptScreen,
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
  togetherScreen,
  importScreen,
  productScreen,
  deleteProductScreen,
  variantsScreen,
  ...categoryScreens,
  ...couponScreens,
  ...paymentMethodScreens,
  addressesScreen,
  keysScreen,
  newKeyScreen,
  keyScreen,
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
  testClockScreen,
  alertsScreen,
  auditScreen,
  settingsScreen,
  peopleScreen,
  inviteScreen,
  personScreen,
  endPersonScreen,
  sessionsScreen,
];

/** Lists every file of a store: one for each list that can be exported, and the books. */
export const storeDownloads: readonly Download[] = [
  ordersDownload,
  booksDownload,
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

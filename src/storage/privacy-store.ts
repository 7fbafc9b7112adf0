export interface PrivacyStore {
  /**
   * Takes a customer out of what the store keeps, in both modes: sessions, stored
   * replies, orders, subscriptions, coupon uses, delivery snippets and the bytes of
   * events. Amounts, numbers and items stay: they are the books. False when nothing
   * of the customer was found.
   */
  eraseCustomer(store_id: string, customer_id: string): Promise<boolean>;
  /**
   * Deletes everything that test keys made, and gives the test mode the live mode's
   * stock again. Endpoints, keys and counters stay.
   */
  wipeTestData(store_id: string): Promise<void>;
}

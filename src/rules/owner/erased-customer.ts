/** Stands where the id of an erased customer stood. */
export const erasedCustomerId = "cus_erased";

/**
 * Tells whether we made this id and it names an erased customer. Whoever uses such
 * an id again gets a new one. An id of the host's own may come back: it names a
 * user of the host, and finds nothing of before.
 */
export const isIdSpent = (customer_id: string, erased: boolean): boolean =>
  erased && customer_id.startsWith("cus_");

import { fail } from "../contract/errors.ts";

/** The host told of a payment by a reference that a payment of another order has. */
export const refuseTakenReference = (): never =>
  fail("parameter_conflict", {
    param: "reference",
    message: "Another order has a payment of this reference.",
  });

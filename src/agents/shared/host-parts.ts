/** A storefront hands its parts over by this name, also to another copy of the package. */
export const hostParts: unique symbol = Symbol.for("vitrine.host-parts");

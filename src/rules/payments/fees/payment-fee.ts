/** What a provider keeps of a payment. */
export interface PaymentFee {
  /** In minor units of `currency`. */
  readonly amount: number;
  /** An ISO 4217 code in upper case. It may be another one than the payment's. */
  readonly currency: string;
}

/** Tells whether a gateway in plain JavaScript gave a fee that can be counted. */
export const isFee = (fee: unknown): fee is PaymentFee => {
  const { amount, currency } = (fee ?? {}) as Partial<PaymentFee>;
  return (
    Number.isSafeInteger(amount) &&
    Number(amount) >= 0 &&
    typeof currency === "string" &&
    /^[A-Z]{3}$/.test(currency)
  );
};

/** Tells whether both are the same fee. */
export const isSameFee = (one: PaymentFee | undefined, other: PaymentFee | undefined): boolean =>
  one?.amount === other?.amount && one?.currency === other?.currency;

import { fail } from "../../contract/errors.ts";
import type {
  AgreementFact,
  DisputeClosedFact,
  DisputeOpenedFact,
  GatewayNotification,
  PaymentFact,
  RefundFact,
  SavedMethodGoneFact,
} from "./gateway-results.ts";

export type ReadFact = Exclude<GatewayNotification, { readonly type: "unread" }>;

interface Check {
  /** What the field must be, for the sentence of a refusal. */
  readonly words: string;
  fits(value: unknown): boolean;
}

/** A check of every field that the type of a fact demands; the compiler misses none of them. */
type Checks<Fact> = {
  readonly [Field in keyof Fact as undefined extends Fact[Field] ? never : Field]: Check;
};

const text: Check = {
  words: "a text that is not empty",
  fits: (value) => typeof value === "string" && value !== "",
};

const amount: Check = {
  words: "a whole number from 0 to 2^53-1, in minor units",
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};

const currency: Check = {
  words: "an ISO 4217 code in upper case",
  fits: (value) => typeof value === "string" && /^[A-Z]{3}$/.test(value),
};

const oneOf = (...values: readonly string[]): Check => ({
  words: `one of ${values.join(", ")}`,
  fits: (value) => values.some((one) => one === value),
});

const payment: Checks<PaymentFact> = {
  type: oneOf("payment"),
  status: oneOf("succeeded", "pending", "requires_action", "failed"),
  reference: text,
  amount,
  currency,
};

const refund: Checks<RefundFact> = {
  type: oneOf("refund"),
  status: oneOf("succeeded", "pending", "failed"),
  reference: text,
  payment_reference: text,
  amount,
  currency,
};

const dispute_opened: Checks<DisputeOpenedFact> = {
  type: oneOf("dispute_opened"),
  reference: text,
  payment_reference: text,
  amount,
};

const dispute_closed: Checks<DisputeClosedFact> = {
  type: oneOf("dispute_closed"),
  reference: text,
  payment_reference: text,
  result: oneOf("won", "lost"),
};

const saved_method_gone: Checks<SavedMethodGoneFact> = {
  type: oneOf("saved_method_gone"),
  payment_id: text,
};

const object: Check = {
  words: "an object",
  fits: (value) => typeof value === "object" && value !== null,
};

const agreement: Checks<AgreementFact> = {
  type: oneOf("agreement"),
  store_id: text,
  subscription_id: text,
  status: oneOf("pending", "active", "over"),
  saved_method: object,
  consent: object,
};

const checks: Readonly<Record<ReadFact["type"], Readonly<Record<string, Check>>>> = {
  payment,
  refund,
  dispute_opened,
  dispute_closed,
  saved_method_gone,
  agreement,
};

const types = Object.keys(checks) as readonly ReadFact["type"][];

/**
 * Refuses a fact that lacks a field of its type, which a gateway in plain JavaScript may give.
 * Without its `notification_id` a fact would count at each of its repeats, or never.
 */
export function checkFact(gateway_id: string, fact: ReadFact | null): void {
  const fields: Readonly<Record<string, unknown>> = { ...fact };
  const type = types.find((one) => one === fields["type"]);
  const ofType = type ? checks[type] : { type: oneOf(...types) };
  const told = `Gateway ${gateway_id} told of a ${type ?? "fact"}`;

  for (const [field, { words, fits }] of Object.entries({ notification_id: text, ...ofType }))
    if (!fits(fields[field]))
      fail("invalid_gateway_result", {
        message: `${told} whose ${field} is not ${words}.`,
      });
}

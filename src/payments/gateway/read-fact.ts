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
import { isAmount, isCurrency, isName, isSavedMethod, isText, isTime } from "./stored-values.ts";

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
  words: "a text of 1 to 500 characters, without NUL and half pairs",
  fits: isName,
};

const amount: Check = {
  words: "a whole number from 0 to 2^53-1, in minor units",
  fits: isAmount,
};

const currency: Check = { words: "an ISO 4217 code in upper case", fits: isCurrency };

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

const saved_method: Check = { words: "a means of payment", fits: isSavedMethod };

const consent: Check = {
  words: "a text and its time",
  fits(value) {
    const { text: words, at } = (value ?? {}) as { readonly text?: unknown; readonly at?: unknown };
    return isText(words) && isTime(at);
  },
};

const agreement: Checks<AgreementFact> = {
  type: oneOf("agreement"),
  store_id: text,
  subscription_id: text,
  status: oneOf("pending", "active", "over"),
  saved_method,
  consent,
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

/** What a fact may leave out. Each names what the fact is about, so a wrong one is refused. */
const names = { account: text, payment_id: text, refund_id: text };

/** What a fact counts without when it cannot be stored. */
const beside = { failure_reason: isText, reason: isText, due_by: isTime };

/**
 * Reads each field of a fact once, and refuses a fact that lacks one of its type, as a gateway in
 * plain JavaScript may give it. A fact without `notification_id` would count each time that it is
 * repeated, or never.
 */
export function readFact<Fact extends ReadFact>(gateway_id: string, fact: Fact): Fact {
  const fields: Record<string, unknown> = { ...fact };
  const type = types.find((one) => one === fields["type"]);
  const ofType = type ? checks[type] : { type: oneOf(...types) };
  const told = `Gateway ${gateway_id} told of a ${type ?? "fact"}`;
  const given = Object.entries(names).filter(([field]) => fields[field] != null);

  for (const [field, { words, fits }] of [
    ...Object.entries({ notification_id: text, ...ofType }),
    ...given,
  ])
    if (!fits(fields[field]))
      fail("invalid_gateway_result", {
        message: `${told} whose ${field} is not ${words}.`,
      });

  if (type !== "payment")
    for (const [field, fits] of Object.entries(beside))
      if (!fits(fields[field])) delete fields[field];
  return fields as Fact;
}

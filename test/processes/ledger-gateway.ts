import { appendFileSync, readFileSync } from "node:fs";
import type { PaymentGateway, PaymentResult } from "vitrine/gateway";

type RefundResult = Awaited<ReturnType<NonNullable<PaymentGateway["refund"]>>>;

/** A line of the provider's books: what was done, for which order, under which id, how much. */
interface Entry {
  readonly what: "open" | "take" | "cancel" | "refund" | "forget";
  readonly order_id: string;
  readonly id: string;
  readonly amount: number;
}

export function readLedger(file: string): readonly Entry[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line): Entry => JSON.parse(line));
}

/** Writes an entry once: a provider does the same request of one id only once. */
export function writeEntry(file: string, entry: Entry): void {
  const isKnown = readLedger(file).some(({ what, id }) => what === entry.what && id === entry.id);
  if (!isKnown) appendFileSync(file, `${JSON.stringify(entry)}\n`);
}

/**
 * A provider whose books are a file, so that they outlive the process. `mayDie` is called before
 * and after each entry. With the input `later` the buyer has not paid yet.
 */
export function ledgerGateway(file: string, mayDie: () => void): PaymentGateway {
  const write = (entry: Entry): void => {
    mayDie();
    writeEntry(file, entry);
    mayDie();
  };

  const stateOf = (id: string): PaymentResult | null => {
    const entries = readLedger(file).filter((entry) => entry.id === id);
    const [first] = entries;
    if (!first) return null;

    const payment = { reference: `ref_${id}`, amount: first.amount, currency: "BRL" };
    const has = (what: Entry["what"]): boolean => entries.some((entry) => entry.what === what);
    if (has("take")) return { ...payment, status: "succeeded" };
    if (has("cancel")) return { ...payment, status: "failed", failure_code: "canceled" };
    return { ...payment, status: "pending" };
  };

  const refundOf = (id: string): RefundResult | null => {
    const isMoved = readLedger(file).some((entry) => entry.what === "refund" && entry.id === id);
    return isMoved ? { status: "succeeded", reference: `re_${id}` } : null;
  };

  return {
    id: "sandbox",
    livemode: false,
    returnDuplicates: true,
    methods: () => [],
    async createPayment({ id, order_id, amount, currency, input, save }) {
      write({ what: input["later"] === true ? "open" : "take", order_id, id, amount });
      const taken = stateOf(id) ?? { status: "failed", reference: `ref_${id}`, amount, currency };
      const saved_method = { reference: `kept_${id}`, kind: "card", label: "Card" };
      return save ? { ...taken, saved_method } : taken;
    },
    async chargeSaved({ id, order_id, amount, currency }) {
      write({ what: "take", order_id, id, amount });
      return stateOf(id) ?? { status: "failed", reference: `ref_${id}`, amount, currency };
    },
    async forgetSaved({ saved_reference: id }) {
      write({ what: "forget", order_id: "", id, amount: 0 });
    },
    getPayment: async ({ id }) => stateOf(id),
    async cancelPayment({ id }) {
      const known = readLedger(file).find((entry) => entry.id === id);
      const state = stateOf(id);
      if (known && state?.status === "pending") write({ ...known, what: "cancel" });
      return stateOf(id) ?? undefined;
    },
    async refund({ id, amount, metadata }) {
      write({ what: "refund", order_id: metadata.order_id, id, amount });
      return refundOf(id) ?? { status: "failed", reference: null };
    },
    getRefund: async ({ id }) => refundOf(id),
  };
}

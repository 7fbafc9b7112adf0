import type { PaymentMethod } from "../../contract/schemas.ts";
import type { Speaker } from "../../domain/text/choose-language.ts";
import { amountText, type Scene } from "../scene.ts";
import type { TextName } from "../texts/text-names.ts";

/**
 * Says what each later period of a subscription costs, e.g. `14 days free, then R$ 98,00 every
 * month`. Null stands for a single purchase.
 */
export function renewalText(scene: Scene): string | null {
  const { recurring } = scene.view;
  if (recurring === null) return null;

  const { trial_days } = recurring;
  const renewal = renewalWords(scene.language, recurring, amountText(scene, recurring.amount));
  if (trial_days === undefined || recurring.amount === 0) return renewal;
  return scene.language.sayCount("trial", trial_days, { renewal });
}

interface Period {
  readonly interval: "day" | "week" | "month" | "year";
  readonly interval_count: number;
}

/** Says how often an amount is charged, e.g. `R$ 98,00 every 2 months`. */
export const renewalWords = (
  { say, sayCount }: Speaker<TextName>,
  { interval, interval_count: count }: Period,
  amount: string,
): string =>
  count === 1
    ? say(`renews_${interval}`, { amount })
    : sayCount(`renews_${interval}s`, count, { amount });

/** Tells whether a method must be chosen: to pay now, or to be kept for the end of a trial. */
export const asksMethod = ({ session, recurring }: Scene["view"]): boolean =>
  session.amount_total > 0 || isTrial(recurring);

export const isTrial = (recurring: Scene["view"]["recurring"]): boolean =>
  recurring?.trial_days !== undefined && recurring.amount > 0;

/** The words of consent, by the type of the method that is kept. */
const consentNames: Readonly<Partial<Record<PaymentMethod["type"], TextName>>> = {
  pix: "consent_pix",
};

/**
 * Gives the words by which the buyer lets the store charge the later periods by this method.
 * Null means that the method is not kept.
 */
export function consentText(scene: Scene, method_id: string): string | null {
  const { recurring, store, payment_methods } = scene.view;
  const renewal = renewalText(scene);
  const method = payment_methods.find(({ id }) => id === method_id);
  if (renewal === null || !method || !recurring?.saved_by.includes(method_id)) return null;
  const name = consentNames[method.type] ?? "consent";
  return scene.language.say(name, { store: store.name, renewal });
}

import type { Client } from "vitrine/client";
import { cartItems, cartLines } from "./cart.ts";
import { el, make } from "./dom.ts";
import { money } from "./money.ts";
import { explain } from "./problem.ts";
import { say } from "./say.ts";

export interface Coupon {
  /** Gives the code that the shop has accepted, or an empty text. */
  code(): string;
  /** Shows what the cart costs now, and asks about the coupon again. */
  price(): void;
}

type Sum = readonly [label: string, amount: string];

/** Starts the coupon's form and the sums below it. */
export function startCoupon(api: Client): Coupon {
  let given = "";
  let waiting: ReturnType<typeof setTimeout> | undefined;

  const answer = (text: string, kind: "good" | "bad" | ""): void => {
    el("coupon-answer").textContent = text;
    el("coupon-answer").className = kind;
  };

  const ask = async (): Promise<void> => {
    const judged = JSON.stringify([cartItems(), given]);
    try {
      const { data } = await api.validateCoupon({ code: given, items: cartItems() });
      if (judged !== JSON.stringify([cartItems(), given])) return;
      answer(say(data.valid ? "coupon_good" : "coupon_bad"), data.valid ? "good" : "bad");
      if (!data.valid) given = "";
      else
        showSums([
          [say("subtotal"), money(data.amount_subtotal, data.currency)],
          [`${say("discount")} (${data.code})`, `−${money(data.amount_discount, data.currency)}`],
          [say("total"), money(data.amount_total, data.currency)],
        ]);
    } catch (error) {
      answer(explain(error), "bad");
    }
  };

  const price = (): void => {
    const [first] = cartLines();
    const subtotal = cartLines().reduce((sum, line) => sum + line.price * line.quantity, 0);
    showSums(first ? [[say("total"), money(subtotal, first.currency)]] : []);
    clearTimeout(waiting);
    if (first && given) waiting = setTimeout(ask, 200);
  };

  el("coupon").onsubmit = (event) => {
    event.preventDefault();
    given = el<HTMLInputElement>("code").value.trim();
    answer("", "");
    price();
  };
  return { code: () => given, price };
}

/** Shows the sums, of which the last one is the whole amount. */
export function showSums(sums: readonly Sum[], place: HTMLElement = el("sums")): void {
  place.replaceChildren(
    ...sums.flatMap(([label, amount], at) => {
      const className = at === sums.length - 1 ? "whole" : "";
      return [make("dt", { className }, label), make("dd", { className }, amount)];
    }),
  );
}

"use client";

import { useRef, useState } from "react";

const key = process.env.NEXT_PUBLIC_SHOP_KEY ?? "";

/** Makes the checkout session from the browser with the publishable key and sends the buyer to pay. No price leaves this page. */
export function Buy({ product_id, name }: { readonly product_id: string; readonly name: string }) {
  const [problem, setProblem] = useState("");
  const attempt = useRef(""); // kept over retries of this purchase: a second click makes no second session

  async function buy(): Promise<void> {
    attempt.current ||= crypto.randomUUID();
    const answer = await fetch(`/v1/checkout/sessions?key=${key}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": attempt.current },
      body: JSON.stringify({
        items: [{ product_id, quantity: 1 }],
        success_url: `${location.origin}/thanks?session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${location.origin}/`,
      }),
    });
    const { data, error } = await answer.json();
    if (error) setProblem(error.code);
    else location.assign(data.checkout_url);
  }

  return (
    <>
      <button type="button" aria-label={`Buy ${name}`} onClick={() => void buy().catch(() => setProblem("no connection"))}>
        Buy
      </button>
      <p role="alert">{problem}</p>
    </>
  );
}

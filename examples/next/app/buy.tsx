"use client";

import { useRef, useState } from "react";
import { createClient, isStorefrontError } from "vitrine/client";

const key = process.env.NEXT_PUBLIC_SHOP_KEY ?? "";
const texts: Readonly<Record<string, string>> = {
  insufficient_stock: "Sold out a moment ago.",
  product_unavailable: "This is not for sale any more.",
  rate_limit_exceeded: "Too many tries: wait a minute.",
};

/**
 * Makes the checkout session in the browser, with the publishable key, and sends the buyer to pay.
 * The page sends no price.
 */
export function Buy({ product_id, name }: { readonly product_id: string; readonly name: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  // The client uses one Idempotency-Key for its retries. This key is also the same for a second
  // click, until there is a session.
  const attempt = useRef("");

  async function buy(): Promise<void> {
    setBusy(true);
    setProblem("");
    attempt.current ||= crypto.randomUUID();
    try {
      // The client is made here, because this module also runs on the server, where "/v1" is no
      // address.
      const client = createClient({ baseUrl: "/v1", key });
      const cart = {
        items: [{ product_id, quantity: 1 }],
        success_url: `${location.origin}/thanks?session={CHECKOUT_SESSION_ID}`,
        cancel_url: `${location.origin}/`,
      };
      const { data: session } = await client.createCheckoutSession(cart, {
        idempotencyKey: attempt.current,
      });
      attempt.current = "";
      location.assign(session.checkout_url);
    } catch (error) {
      if (!isStorefrontError<"createCheckoutSession">(error)) throw error;
      setProblem(texts[error.code] ?? error.code);
    } finally {
      setBusy(false);
    }
  }

  return (
    <>
      <button type="button" aria-label={`Buy ${name}`} disabled={busy} onClick={() => void buy()}>
        Buy
      </button>
      <p role="alert">{problem}</p>
    </>
  );
}

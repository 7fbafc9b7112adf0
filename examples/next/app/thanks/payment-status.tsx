"use client";

import { useEffect, useState } from "react";
import { createClient } from "vitrine/client";

const key = process.env.NEXT_PUBLIC_SHOP_KEY ?? "";
const askEveryMs = 3_000;
const mostQuestions = 100;

/** Says how the payment of a checkout session stands, and asks again while it is pending. */
export function PaymentStatus({ id }: { readonly id: string }) {
  const [text, setText] = useState("We are asking how your payment stands.");

  useEffect(() => {
    const left = new AbortController();
    watch(id, setText, left.signal).catch(() => {
      if (!left.signal.aborted) setText("We cannot say how your payment stands.");
    });
    return () => left.abort();
  }, [id]);

  return <p role="status">{text}</p>;
}

/** Watches the payment. It rejects when the page is left. */
async function watch(id: string, say: (text: string) => void, signal: AbortSignal): Promise<void> {
  const client = createClient({ baseUrl: "/v1", key });

  for (let asked = 0; asked < mostQuestions; asked += 1) {
    const { data: session } = await client.getCheckoutSession({ id }, { signal });
    if (session.payment_status === "paid") return say(`Order ${session.order?.number} is paid.`);
    if (session.payment_status !== "pending") return say("Nothing was paid. You can try again.");

    say("We are waiting for your payment. This page learns of it by itself.");
    await new Promise((done) => setTimeout(done, askEveryMs));
    signal.throwIfAborted();
  }
}

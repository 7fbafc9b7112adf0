"use server";

import { redirect } from "next/navigation";
import { client } from "../client.ts";

/** Makes a checkout session and sends the buyer to pay. The page sends no price. */
export async function buy(product_id: string): Promise<void> {
  const back = `${process.env["PUBLIC_URL"]}/thanks`;
  const { data: session } = await (await client()).createCheckoutSession({
    items: [{ product_id, quantity: 1 }],
    success_url: back,
    cancel_url: back,
  });
  redirect(session.checkout_url);
}

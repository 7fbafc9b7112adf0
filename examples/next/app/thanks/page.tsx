import { PaymentStatus } from "./payment-status.tsx";

interface Props {
  /** `success_url` has `?session={CHECKOUT_SESSION_ID}`. */
  readonly searchParams: Promise<Readonly<Record<string, string | string[] | undefined>>>;
}

/** Shows the thanks. Anyone can open this address, so it releases nothing: the webhook does. */
export default async function Thanks({ searchParams }: Props) {
  const { session } = await searchParams;
  return (
    <main>
      <h1>Thank you</h1>
      {typeof session === "string" ? <PaymentStatus id={session} /> : null}
      <p>Your order is on its way as soon as the payment is confirmed.</p>
    </main>
  );
}

/** Anyone can open this address, so it releases nothing: the webhook does. */
export default function Thanks() {
  return (
    <main>
      <h1>Thank you</h1>
      <p>Your order is on its way as soon as the payment is confirmed.</p>
    </main>
  );
}

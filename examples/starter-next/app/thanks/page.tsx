/** Shows the thanks. Anyone can open this address, so it releases nothing: the webhook does. */
export default function Thanks() {
  return <p>Thank you. We send your order as soon as its payment is confirmed.</p>;
}

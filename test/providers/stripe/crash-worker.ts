// A process that pays at the fake of Stripe, cancels and refunds, and that is killed at random:
// before a request, after its answer, or between two steps.
import { createStorefront, type PaymentGateway } from "vitrine";
import { sqliteStorage } from "vitrine/sqlite";
import { stripeGateway } from "vitrine/stripe";
import { testCards } from "./buyer.ts";
import { clientOf, webhookSecret } from "./fake-stripe.ts";

const [file = "", port = "", store_id = "", methods = "", work = "", ...args] =
  process.argv.slice(2);
const methodIds = methods.split(",");

const mayDie = (): void => {
  if (Math.random() < 0.06) process.kill(process.pid, "SIGKILL");
};
const chance = (share: number): boolean => Math.random() < share;
let offset = 0;
const now = (): number => Date.now() + offset;

/** Makes the process die before or after any call of the gateway. */
function mortal(gateway: PaymentGateway): PaymentGateway {
  const guard =
    <A, R>(call: (argument: A) => Promise<R>) =>
    async (argument: A): Promise<R> => {
      mayDie();
      const answer = await call(argument);
      mayDie();
      return answer;
    };
  const { createPayment, getPayment, cancelPayment, refund, getRefund } = gateway;
  return {
    ...gateway,
    returnDuplicates: true,
    createPayment: guard(createPayment),
    ...(getPayment && { getPayment: guard(getPayment) }),
    ...(cancelPayment && { cancelPayment: guard(cancelPayment) }),
    ...(refund && { refund: guard(refund) }),
    ...(getRefund && { getRefund: guard(getRefund) }),
  };
}

const gateway = stripeGateway({
  stripe: clientOf(Number(port)),
  webhookSecret,
  livemode: false,
  now,
});
const storefront = createStorefront({
  storage: sqliteStorage(file),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  now,
  gateways: [mortal(gateway)],
});
const partition = { store_id, livemode: false };

/** The host tells that it took the money, and the buyer can still pay at Stripe. */
const payAtHost = (order_id: string) =>
  storefront.orders.markPaid(order_id, {
    ...partition,
    reference: `own_${order_id}`,
    amount: 1000,
    currency: "BRL",
  });

async function payOnPage(url: string): Promise<void> {
  const body = new URLSearchParams({ card: testCards.succeeds });
  await fetch(url, { method: "POST", body, redirect: "manual" });
}

async function buy(token: string): Promise<void> {
  const payment_method_id = methodIds[chance(0.7) ? 0 : 1];
  const { order, redirect_url } = await storefront.checkout.submit(token, { payment_method_id });
  mayDie();

  const change = Math.random();
  if (change < 0.15) await storefront.checkout.cancel(token);
  if (change > 0.85) await payAtHost(order.id);
  mayDie();

  if (redirect_url === null || chance(0.3)) return;
  await payOnPage(redirect_url);
  mayDie();
  const { status } = await storefront.checkout.resume(token);
  mayDie();
  // What the host took itself is not refunded here, because it is not in Stripe's books.
  if (status !== "paid" || change > 0.85 || chance(0.4)) return;
  const reference = `refund_${order.id}`;
  await storefront.orders.refund(order.id, { ...partition, reference, amount: 400 });
}

if (work === "buy")
  for (const token of args) {
    process.send?.({ token });
    await buy(token);
  }

// The argument is the time at which maintenance runs, counted from now.
if (work === "maintain") {
  offset = Number(args[0]);
  await storefront.runMaintenance();
  mayDie();
}

process.exit(0);

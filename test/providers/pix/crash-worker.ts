// A process that asks the fake bank for Pix, cancels and refunds, and that is killed at random:
// before a request, after its answer, or between two steps.
import { Agent, request } from "node:https";
import { Pool } from "pg";
import { createStorefront, type PaymentGateway } from "vitrine";
import { type PixOptions, pixGateway } from "vitrine/pix";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import type { CrashJob } from "./crash-job.ts";

const job: CrashJob = JSON.parse(process.argv[2] ?? "");
const { database, store_id, method_id, offset } = job;

const mayDie = (): void => {
  if (Math.random() < 0.06) process.kill(process.pid, "SIGKILL");
};
const chance = (share: number): boolean => Math.random() < share;

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

const now = (): number => Date.now() + offset;
const options: PixOptions = { ...job.pix, livemode: false, now };
const storefront = createStorefront({
  storage: database.startsWith("postgres:")
    ? postgresStorage(new Pool({ connectionString: database, max: 4 }), { schema: job.schema })
    : sqliteStorage(database),
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  now,
  gateways: [mortal(pixGateway(options))],
});
const partition = { store_id, livemode: false };

/** The host tells that it took the money, and the buyer can still pay the code. */
const payAtHost = (order_id: string) =>
  storefront.orders.markPaid(order_id, {
    ...partition,
    reference: `own_${order_id}`,
    amount: 1000,
    currency: "BRL",
  });

const { certificate: cert, key, ca } = job.pix.account;
const agent = new Agent({
  cert,
  key,
  keepAlive: true,
  ...(ca !== undefined && { ca: [ca].flat() }),
});

/** The buyer's bank pays what the code asks for. */
const payCode = (code: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const url = new URL(`/payer?code=${encodeURIComponent(code)}`, job.pix.baseUrl);
    const sent = request(url, { method: "POST", agent });
    sent.on("response", (answer) => answer.resume().on("end", resolve));
    sent.on("error", reject);
    sent.end();
  });

async function buy(token: string): Promise<void> {
  const submitted = await storefront.checkout.submit(token, { payment_method_id: method_id });
  const { order, next_action } = submitted;
  mayDie();

  const change = Math.random();
  if (change < 0.15) await storefront.checkout.cancel(token);
  if (change > 0.85) await payAtHost(order.id);
  mayDie();

  if (next_action?.type !== "qr_code" || chance(0.2)) return;
  await payCode(next_action.text);
  mayDie();
  const { status } = await storefront.checkout.resume(token);
  mayDie();
  // What the host took itself is not refunded here, because it is not in the bank's books.
  if (status !== "paid" || change > 0.85 || chance(0.4)) return;
  const reference = `refund_${order.id}`;
  await storefront.orders.refund(order.id, { ...partition, reference, amount: 400 });
}

for (const token of job.tokens) {
  process.send?.({ token });
  await buy(token);
}
if (job.tokens.length === 0) {
  await storefront.runMaintenance();
  mayDie();
}
process.exit(0);

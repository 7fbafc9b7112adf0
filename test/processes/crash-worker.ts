// A process that takes, cancels, refunds and returns payments, and that is killed at random: before
// the provider does what it is asked for, right after, or between two steps.
import pg from "pg";
import { createStorefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import { ledgerGateway, readLedger, writeEntry } from "./ledger-gateway.ts";

const [kind = "", where = "", schema = "", ledger = "", ...rest] = process.argv.slice(2);
const [store_id = "", method_id = "", work = "", ...args] = rest;
const storage =
  kind === "postgres"
    ? postgresStorage(new pg.Pool({ connectionString: where, max: 4 }), { schema })
    : sqliteStorage(where);

const mayDie = (): void => {
  if (Math.random() < 0.08) process.kill(process.pid, "SIGKILL");
};
const chance = (share: number): boolean => Math.random() < share;
let offset = 0;

const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  now: () => Date.now() + offset,
  // The tests run at night too.
  renewals: { hours: { from: 0, to: 24 } },
  gateways: [ledgerGateway(ledger, mayDie)],
});
const partition = { store_id, livemode: false };

/** The host tells that it took the money, and the buyer pays at the provider too. */
async function payTwice(order_id: string): Promise<void> {
  await storefront.orders.markPaid(order_id, {
    ...partition,
    reference: `own_${order_id}`,
    amount: 1000,
    currency: "BRL",
  });
  mayDie();
  const opened = readLedger(ledger).find((entry) => entry.order_id === order_id);
  if (opened) writeEntry(ledger, { ...opened, what: "take" });
}

async function buy(token: string): Promise<void> {
  const later = chance(0.5);
  const { order, status } = await storefront.checkout.submit(token, {
    payment_method_id: method_id,
    input: { later },
  });
  mayDie();

  if (status === "pending" && chance(0.4)) await storefront.checkout.cancel(token);
  else if (status === "pending" && chance(0.5)) await payTwice(order.id);
  else if (status === "paid" && chance(0.6)) {
    const reference = `refund_${order.id}`;
    await storefront.orders.refund(order.id, { ...partition, reference, amount: 400 });
  }
  mayDie();
}

if (work === "buy")
  for (const token of args) {
    process.send?.({ token });
    await buy(token);
  }

// The arguments are the subscriptions that end.
if (work === "end")
  for (const id of args) {
    await storefront.subscriptions.cancel(id, { ...partition, at_period_end: false });
    mayDie();
  }

// The arguments are the buyers who are erased.
if (work === "erase")
  for (const id of args) {
    await storefront.owner.eraseCustomer(store_id, id);
    mayDie();
  }

// The arguments are the times at which maintenance runs, counted from now.
if (work === "maintain")
  for (const time of args) {
    offset = Number(time);
    await storefront.runMaintenance();
    mayDie();
  }

process.exit(0);

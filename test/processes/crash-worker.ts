// A process that takes payments and ends itself at one of three points: before the provider is
// asked, after the provider took the money, or after the result was written.
import { appendFileSync } from "node:fs";
import pg from "pg";
import { createStorefront } from "vitrine";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";

const [kind = "", where = "", schema = "", ledger = "", method_id = "", ...tokens] =
  process.argv.slice(2);
const storage =
  kind === "postgres"
    ? postgresStorage(new pg.Pool({ connectionString: where, max: 4 }), { schema })
    : sqliteStorage(where);
const die = (): void => {
  process.kill(process.pid, "SIGKILL");
};
const chance = (): boolean => Math.random() < 0.12;

const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(3),
  gateways: [
    {
      id: "sandbox",
      livemode: false,
      methods: () => [],
      async createPayment({ id, amount, currency }) {
        if (chance()) die();
        // The provider's books record that the money moved.
        appendFileSync(ledger, `${id} ${amount}\n`);
        if (chance()) die();
        return { status: "succeeded", reference: `ref_${id}`, amount, currency };
      },
    },
  ],
});
for (const token of tokens) {
  process.send?.({ token });
  await storefront.checkout.submit(token, { payment_method_id: method_id });
  if (chance()) die();
}
process.exit(0);

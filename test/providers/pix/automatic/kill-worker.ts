// A process that runs maintenance at given times, and that is killed at random: before the bank is
// asked, after it has answered, or between two runs.
import pg from "pg";
import { createStorefront } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";
import { type PixOptions, pixGateway } from "vitrine/pix";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";

const [kind = "", where = "", schema = "", bank = "", ...times] = process.argv.slice(2);
const storage =
  kind === "postgres"
    ? postgresStorage(new pg.Pool({ connectionString: where, max: 4 }), { schema })
    : sqliteStorage(where);

let now = 0;
/** A look whose time ends with `!` outlives its work. */
let isMortal = true;
const mayDie = (): void => {
  if (isMortal && Math.random() < 0.15) process.kill(process.pid, "SIGKILL");
};

/** The same gateway, around whose charges and look-ups the process may die. */
function mortal(gateway: PaymentGateway): PaymentGateway {
  const around =
    <Request, Result>(call: ((request: Request) => Promise<Result>) | undefined) =>
    async (request: Request): Promise<Result> => {
      mayDie();
      if (!call) throw new Error("The gateway cannot do this.");
      const result = await call(request);
      mayDie();
      return result;
    };
  return {
    ...gateway,
    chargeSaved: around(gateway.chargeSaved),
    getPayment: around(gateway.getPayment),
  };
}

const options: Omit<PixOptions, "now"> = JSON.parse(bank);
const storefront = createStorefront({
  storage,
  checkout: { baseUrl: "https://pay.example.com/c" },
  docsUrl: "https://docs.example.com/errors",
  sealKey: new Uint8Array(32).fill(7),
  now: () => now,
  renewals: { hours: { from: 0, to: 24 } },
  gateways: [mortal(pixGateway({ ...options, now: () => now }))],
});

for (const time of times) {
  isMortal = !time.endsWith("!");
  now = Number(time.replace("!", ""));
  await storefront.runMaintenance();
  mayDie();
}
process.exit(0);

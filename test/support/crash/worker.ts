import { Pool } from "pg";
import { createStorefront, isApiError } from "vitrine";
import type { NextAction, PaymentGateway } from "vitrine/gateway";
import { postgresStorage } from "vitrine/postgres";
import { sqliteStorage } from "vitrine/sqlite";
import type { CrashJob, CrashNews, CrashTask } from "./job.ts";

/** What differs from provider to provider. */
export interface CrashSide {
  gateways(now: () => number): readonly PaymentGateway[];
  /** The buyer pays what the checkout asks for. Left out where nobody buys in the process. */
  pay?(action: NextAction): Promise<void>;
}

/** So many purchases run at once, so that one kill interrupts each at another step. */
const purchasesAtOnce = 5;

const chance = (share: number): boolean => Math.random() < share;

const tell = (news: CrashNews): void => void process.send?.(news);

/**
 * Runs a process that asks a provider for payments, cancels and refunds, and that is
 * killed on its way: before a request, after its answer, or between two steps.
 */
export function runCrashWorker<Provider>(open: (provider: Provider) => CrashSide): void {
  const job: CrashJob<Provider> = JSON.parse(process.argv[2] ?? "");
  const { database, schema, store_id, method_ids } = job;
  const side = open(job.provider);

  let points = 0;
  const mayDie = (): void => {
    points += 1;
    if (points >= job.dies_at) process.kill(process.pid, "SIGKILL");
  };
  let offset = 0;
  const now = (): number => Date.now() + offset;

  const storefront = createStorefront({
    storage: database.startsWith("postgres:")
      ? postgresStorage(new Pool({ connectionString: database, max: 8 }), {
          schema,
          ...(job.distribute && { distribute: job.distribute }),
        })
      : sqliteStorage(database),
    checkout: { baseUrl: "https://pay.example.com/c" },
    docsUrl: "https://docs.example.com/errors",
    sealKey: new Uint8Array(32).fill(3),
    now,
    gateways: side.gateways(now).map((gateway) => mortal(gateway, mayDie)),
    onError: () => {},
  });
  const partition = { store_id, livemode: false };

  async function buy(token: string): Promise<void> {
    tell({ begun: token });
    const payment_method_id = method_ids[Math.floor(Math.random() * method_ids.length)];
    const { order, next_action } = await storefront.checkout.submit(token, { payment_method_id });
    mayDie();

    const change = Math.random();
    if (change < 0.15) await storefront.checkout.cancel(token);
    // The host tells that it took the money, and the buyer can still pay at the provider.
    const isPaidAtHost = change > 0.85;
    const money = { reference: `own_${order.id}`, amount: 1000, currency: "BRL" };
    if (isPaidAtHost) await storefront.orders.markPaid(order.id, { ...partition, ...money });
    mayDie();

    if (next_action === null || chance(0.2)) return;
    await side.pay?.(next_action);
    mayDie();
    const { status } = await storefront.checkout.resume(token);
    mayDie();

    // What the host took itself is not refunded here, because it is not in the provider's books.
    if (status !== "paid" || isPaidAtHost || chance(0.4)) return;
    const refund = { ...partition, reference: `refund_${order.id}`, amount: 400 };
    await storefront.orders.refund(order.id, refund);
  }

  async function run(task: CrashTask): Promise<void> {
    offset = task.offset;
    if (task.work === "buy") {
      const waiting = task.tokens.values();
      const lane = async (): Promise<void> => {
        for (const token of waiting) await buy(token).catch(acceptUnavailable);
      };
      await Promise.all(Array.from({ length: purchasesAtOnce }, lane));
    } else {
      await storefront.runMaintenance().catch(acceptUnavailable);
      mayDie();
    }
    tell({ type: "done" });
  }

  process.on("message", (task: CrashTask) => {
    run(task).catch((error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  });
  tell({ type: "ready" });
}

/** On a slow machine the database may refuse a step. The buyer leaves then, as after a kill. */
function acceptUnavailable(error: unknown): void {
  if (!isApiError(error) || error.code !== "service_unavailable") throw error;
}

/** Makes the process die before or after any call of the gateway. */
function mortal(gateway: PaymentGateway, mayDie: () => void): PaymentGateway {
  const guard =
    <A, R>(call: (argument: A) => Promise<R>) =>
    async (argument: A): Promise<R> => {
      mayDie();
      const answer = await call(argument);
      mayDie();
      return answer;
    };
  const { createPayment, getPayment, cancelPayment, refund, getRefund } = gateway;
  const { chargeSaved, forgetSaved } = gateway;
  return {
    ...gateway,
    returnDuplicates: true,
    createPayment: guard(createPayment),
    ...(getPayment && { getPayment: guard(getPayment) }),
    ...(cancelPayment && { cancelPayment: guard(cancelPayment) }),
    ...(refund && { refund: guard(refund) }),
    ...(getRefund && { getRefund: guard(getRefund) }),
    ...(chargeSaved && { chargeSaved: guard(chargeSaved) }),
    ...(forgetSaved && { forgetSaved: guard(forgetSaved) }),
  };
}

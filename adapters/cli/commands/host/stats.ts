import { setTimeout as sleep } from "node:timers/promises";
import { floorTo, hourMs } from "#core/domain/durations.ts";
import { formatMoney } from "#core/domain/money.ts";
import type { OwnerStats } from "#core/owner/stats/stats.ts";
import type { StorageGauges } from "#core/storage/reads/gauges-store.ts";
import type { Call, ExitName } from "../../frame/command.ts";
import { tableLines } from "../../frame/table-lines.ts";

/** Shows the numbers of a store, once or as a live screen. */
export async function run(call: Call): Promise<ExitName | undefined> {
  const { input, screen, signal } = call;
  const everyMs = (input.number("every", 1) ?? 2) * 1_000;
  const watches = input.flag("watch");
  for (;;) {
    const numbers = await read(call);
    if (!watches) {
      screen.result(numbers, () => linesOf(numbers, call));
      return undefined;
    }

    if (screen.json || !screen.redraws)
      screen.item(numbers, () => linesOf(numbers, call).join("\n"));
    else screen.redraw([...linesOf(numbers, call), "", screen.paint.soft("Ctrl-C ends it.")]);
    await sleep(everyMs, undefined, { signal }).catch(() => {});
    if (signal.aborted) return "interrupted";
  }
}

interface Numbers {
  readonly at: string;
  readonly stats: OwnerStats;
  readonly waiting: StorageGauges;
}

async function read({ host, store, input }: Call): Promise<Numbers> {
  const { storefront, parts } = host();
  const { store_id, livemode } = store();
  const real = Date.now();
  const now = livemode
    ? real
    : Date.parse((await storefront.owner.testClock.retrieve(store_id)).now);
  // The hour that runs counts too.
  const to = floorTo(hourMs, now) + hourMs;
  const from = to - (input.number("hours", 1, 9_600) ?? 24) * hourMs;
  const query = { store_id, livemode, from, to, interval: "hour" } as const;
  const [stats, waiting] = await Promise.all([
    storefront.owner.stats(query),
    parts.storage.gauges.read(real),
  ]);
  return { at: new Date(now).toISOString(), stats, waiting };
}

function linesOf({ at, stats, waiting }: Numbers, { screen, store }: Call): readonly string[] {
  const { paint } = screen;
  const { sessions, deliveries, currencies } = stats;
  const hours = Math.round((Date.parse(stats.to) - Date.parse(stats.from)) / hourMs);
  const due = waiting.webhooks_due;
  return [
    `${paint.strong(store().name)} · ${hours} h · ${at}`,
    "",
    ...(currencies.length === 0 ? ["No money yet."] : moneyLines(currencies, screen)),
    "",
    `Sessions    ${sessions.totals.created} begun, ${sessions.totals.completed} paid`,
    `Deliveries  ${deliveries.totals.succeeded} accepted, ${failedText(deliveries.totals.failed)}`,
    `Waiting     ${due} deliveries due, ${waiting.payments_in_doubt} payments in doubt,` +
      ` ${waiting.refunds_pending} refunds pending`,
  ];

  function failedText(failed: number): string {
    return failed > 0 ? paint.bad(`${failed} failed`) : "0 failed";
  }
}

const moneyLines = (
  currencies: OwnerStats["currencies"],
  screen: Call["screen"],
): readonly string[] =>
  tableLines(
    currencies,
    [
      { title: "", value: ({ currency }) => currency },
      { title: "paid orders", value: ({ totals }) => String(totals.orders_paid) },
      { title: "gross", value: (row) => money(row.totals.amount_gross, row.currency) },
      { title: "refunded", value: (row) => money(row.totals.amount_refunded, row.currency) },
      { title: "net", value: (row) => money(row.totals.amount_net, row.currency) },
      { title: "failed", value: ({ totals }) => String(totals.payments_failed) },
    ],
    screen,
  );

const money = (amount: number, currency: string): string =>
  formatMoney(amount, currency, { locale: "en" });

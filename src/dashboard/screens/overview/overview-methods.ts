import { type Html, html } from "../../../contract/html.ts";
import { paymentMethodTypes } from "../../../contract/schemas.ts";
import type { StatsNumbers } from "../../../owner/stats/stats-numbers.ts";
import { amountText, countText, shareText } from "../../format.ts";
import { card, table } from "../../frame/elements.ts";
import type { StoreVisit } from "../../screen.ts";
import type { Figures } from "./overview-metrics.ts";

type Method = StatsNumbers["by_method"][number];

/** Gives the methods by which orders were paid in these days, in the order of the contract. */
export function methodsOf(days: readonly Pick<StatsNumbers, "by_method">[]): readonly Method[] {
  const all = days.flatMap(({ by_method }) => by_method);
  return paymentMethodTypes.flatMap((type) => {
    const ofType = all.filter((method) => method.type === type);
    if (ofType.length === 0) return [];
    const sum = (read: (method: Method) => number): number =>
      ofType.reduce((added, method) => added + read(method), 0);
    const orders_paid = sum((method) => method.orders_paid);
    return [{ type, orders_paid, amount_gross: sum((method) => method.amount_gross) }];
  });
}

/** Shows what each kind of payment brought. Orders of a former version have none. */
export function methodsCard(visit: StoreVisit, { points, before, currency }: Figures): Html | null {
  const { say } = visit.language;
  const methods = methodsOf(points);
  if (methods.length === 0) return null;

  const earlier = new Map(methodsOf(before).map((method) => [method.type, method]));
  const whole = methods.reduce((sum, { amount_gross }) => sum + amount_gross, 0);
  const rows = methods.map(({ type, orders_paid, amount_gross }) => [
    say(`method_${type}`),
    countText(visit, orders_paid),
    amountText(visit, amount_gross, currency),
    whole > 0 ? shareText(visit, amount_gross / whole) : "—",
    amountText(visit, earlier.get(type)?.amount_gross ?? 0, currency),
  ]);
  const columns = [
    say("method_type"),
    say("metric_orders"),
    say("metric_gross"),
    say("method_share"),
    say("period_amount_before"),
  ];
  const caption = say("methods_title");
  return card(caption, html`${table({ caption, columns, rows, amounts: 2 })}`);
}

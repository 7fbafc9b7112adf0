import type { Fill } from "../fill.ts";

/** Every id and text of the sale that is copied holds these digits. */
export const marker = "77770777";
/** It is the time of that sale, in epoch milliseconds. Its records hold these digits. */
export const saleTime = 1_700_000_000_123;

const letters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Writes the ten letters that an id begins with, which tell its time. */
export const timeLetters = (time: number): string =>
  Array.from({ length: 10 }, (_, index) => letters[Math.floor(time / 32 ** (9 - index)) % 32]).join(
    "",
  );

/** Writes the same letters in the database. */
const lettersOf = (at: string): string =>
  Array.from({ length: 10 }, (_, index) => {
    const value = `cast(${at} / ${32 ** (9 - index)} % 32 as integer)`;
    return `substr('${letters}', ${value} + 1, 1)`;
  }).join(" || ");

/** A sale and what it led to, in one store in test mode. */
export interface Sale {
  readonly store_id: string;
  readonly order_id: string;
  readonly session_id: string;
  readonly event_id: string;
  readonly customer_id: string;
}

/** Lists the tables. One row of each is copied, or one for each twentieth sale. */
const tablesOf = (
  sale: Sale,
): readonly (readonly [table: string, row: string, every: number])[] => [
  ["orders", `id = '${sale.order_id}'`, 1],
  ["order_terms", `number = (select number from orders where id = '${sale.order_id}')`, 1],
  ["customer_totals", `customer_id = '${sale.customer_id}'`, 1],
  ["checkout_sessions", `id = '${sale.session_id}'`, 1],
  ["payment_attempts", `order_id = '${sale.order_id}'`, 1],
  ["payments", `order_id = '${sale.order_id}'`, 1],
  ["refunds", `order_id = '${sale.order_id}'`, 20],
  ["disputes", `order_id = '${sale.order_id}'`, 20],
  ["events", `id = '${sale.event_id}'`, 1],
  ["deliveries", `event_id = '${sale.event_id}'`, 1],
  ["delivery_attempts", `event_id = '${sale.event_id}'`, 1],
];

const times: ReadonlySet<string> = new Set([
  "created_at",
  "updated_at",
  "due_at",
  "started_at",
  "expires_at",
]);

interface Copies {
  readonly count: number;
  readonly from: number;
  readonly to: number;
  /** The copies belong to this store. */
  readonly store_id: string;
}

/** Copies a sale many times, spread evenly over a span of time, each with ids of its own. */
export async function copySales(fill: Fill, sale: Sale, copies: Copies): Promise<void> {
  const { count, from, to, store_id } = copies;
  const step = Math.floor((to - from) / count);
  const at = `(${from} + cast(n as bigint) * ${step})`;
  await fill.exec("drop table if exists bench_sales");
  await fill.exec(`create table bench_sales as
    select n, ${at} as at, ${lettersOf(at)} as letters, ${fill.pad("n", marker.length)} as digits
    from ${fill.series(1, count)}`);

  const text = (column: string): string => {
    const own = `replace(p.${column}, '${sale.store_id}', '${store_id}')`;
    const dated = `replace(${own}, '${timeLetters(saleTime)}', s.letters)`;
    const numbered = `replace(${dated}, '${marker}', s.digits)`;
    return `replace(${numbered}, '${saleTime}', cast(s.at as text))`;
  };
  const value = ({ name, type }: { readonly name: string; readonly type: string }): string => {
    if (type.toLowerCase() === "text") return text(name);
    if (times.has(name)) return `p.${name} + (s.at - ${saleTime})`;
    // The sale that is copied has the smallest numbers of its store.
    return name === "number" || name === "sequence" ? `p.${name} + 1000 + s.n` : `p.${name}`;
  };
  for (const [table, row, every] of tablesOf(sale)) {
    const columns = await fill.columns(table);
    const names = columns.map(({ name }) => name).join(", ");
    await fill.exec(`create table bench_pattern as
      select * from ${table} where store_id = '${sale.store_id}' and ${row}`);
    await fill.exec(`insert into ${table} (${names})
      select ${columns.map(value).join(", ")} from bench_pattern as p, bench_sales as s
      where s.n % ${every} = 0`);
    await fill.exec("drop table bench_pattern");
  }
  await fill.exec("drop table bench_sales");
}

/** Counts the sales by the hour, and the sessions as rolled up, as maintenance does. */
export async function countHours(
  fill: Fill,
  store_id: string,
  { count, from, to }: Omit<Copies, "store_id">,
): Promise<void> {
  const hourMs = 3_600_000;
  const first = Math.floor(from / hourMs);
  const hours = Math.floor(to / hourMs) - first;
  const each = Math.max(1, Math.floor(count / hours));
  const rows: readonly (readonly [
    kind: string,
    currency: string,
    count: number,
    amount: number,
  ])[] = [
    ["paid", "BRL", each, each * 12_345],
    ["refunded", "BRL", 1, 100],
    ["payment_failed", "BRL", 1, 0],
    ["session_created", "", each * 3, 0],
    ["session_completed", "", each, 0],
    ["delivery_succeeded", "", each, 0],
    ["delivery_failed", "", 1, 0],
  ];
  const values = rows.map(
    ([kind, currency, number, amount]) => `select '${kind}' as kind, '${currency}' as currency,
      ${number} as number, ${amount} as amount`,
  );
  // The rows are in the order of time, as steps write them: the rows of an hour lie
  // near each other.
  await fill.exec(`insert into hourly_stats
      (store_id, livemode, hour, kind, currency, count, amount)
    select '${store_id}', 0, (${first} + cast(n as bigint)) * ${hourMs}, kind, currency,
      number, amount
    from ${fill.series(0, hours - 1)} cross join (${values.join(" union all ")}) as counted
    order by n, kind`);

  await countSales(fill, store_id, { first, hours, each });
  const until = (first + hours) * hourMs;
  await fill.exec(`delete from session_rollups where store_id = '${store_id}'`);
  await fill.exec(`insert into session_rollups (store_id, livemode, until, first_id)
    values ('${store_id}', 0, ${until}, 'cs_${timeLetters(until)}')`);
}

interface CountedHours {
  /** The first hour, in hours since 1970. */
  readonly first: number;
  readonly hours: number;
  /** The number of orders in each hour. */
  readonly each: number;
}

const products = 500;

/**
 * Counts what 500 products, two channels and the customers brought, as maintenance does. The last
 * hour is not counted: a reading counts its orders itself.
 */
async function countSales(fill: Fill, store_id: string, span: CountedHours): Promise<void> {
  const { first, each } = span;
  const hours = span.hours - 1;
  const hourMs = 3_600_000;
  const dayMs = 24 * hourMs;
  const perHour = Math.min(each, products);
  const columns = `store_id, livemode, unit, starts_at, kind, currency, subject, name,
    orders, pieces, amount`;
  const start = `(${first} + cast(h.n as bigint)) * ${hourMs}`;
  const row = (kind: string, subject: string, orders: number, more: string): string =>
    `insert into counted_sales (${columns})
      select '${store_id}', 0, 'hour', ${start}, '${kind}', 'BRL', ${subject}, 'Cup',
        ${orders}, ${orders}, ${orders * 12_345}
      from (select n from ${fill.series(0, hours - 1)}) as h ${more}`;
  const eachProduct = `'prod_' || ((h.n * 37 + p.n) % ${products})`;
  const some = `cross join (select n from ${fill.series(1, perHour)}) as p order by h.n, p.n`;
  await fill.exec(row("product", eachProduct, Math.max(1, Math.floor(each / perHour)), some));
  for (const [kind, subject] of [
    ["channel", "''"],
    ["channel", "'ucp:agent.example'"],
    ["customers", "'new'"],
    ["customers", "'returning'"],
  ] as const)
    await fill.exec(row(kind, subject, Math.max(1, Math.floor(each / 2)), "order by h.n"));
  for (const [unit, of, length] of [
    ["day", "hour", dayMs],
    ["week", "day", 7 * dayMs],
  ] as const)
    await fill.exec(`insert into counted_sales (${columns})
      select store_id, livemode, '${unit}', starts_at / ${length} * ${length}, kind, currency,
        subject, max(name), sum(orders), sum(pieces), sum(amount)
      from counted_sales where store_id = '${store_id}' and unit = '${of}'
      group by store_id, livemode, starts_at / ${length}, kind, currency, subject
      order by 4, 5, 6, 7`);

  await fill.exec(`delete from sales_rollups where store_id = '${store_id}'`);
  await fill.exec(`insert into sales_rollups
      (store_id, livemode, counted_since, counted_until, last_store)
    values ('${store_id}', 0, 0, ${(first + hours) * hourMs}, '')`);
}

import type { OrderItem } from "../../../contract/schemas.ts";
import { decimalMoney } from "../../../domain/decimal-money.ts";
import { guardCell, separatedRow } from "../../../domain/text/csv.ts";
import { numberSigns } from "../../../domain/text/number-signs.ts";
import { wallClock } from "../../../domain/wall-clock.ts";
import {
  type BooksColumn,
  itemColumns,
  moneyColumns,
  partyColumns,
  placeColumns,
} from "./book-columns.ts";
import { type Movement, ownFee } from "./movements.ts";
import { booksWords } from "./words.ts";

/** A line is a movement of money, or an item of a sale. */
export const booksLines = ["movements", "items"] as const;

/** How the books are written. */
export interface BooksStyle {
  readonly lines: (typeof booksLines)[number];
  readonly locale: string;
  readonly timezone: string;
  /** True shows tax ids as they are stored. */
  readonly tax_ids: boolean;
}

/** Writes the head and the lines of the books. */
export interface BooksWriter {
  readonly head: string;
  line(movement: Movement): string;
}

/** The columns of the library's numbers. Any other cell may hold a text of a buyer or owner. */
const numbers: ReadonlySet<BooksColumn> = new Set([...moneyColumns, "quantity", "unit_amount"]);

/** Excel of a language with a decimal comma takes the comma for no separator. */
export function booksWriter(style: BooksStyle): BooksWriter {
  const { locale, lines } = style;
  const decimal = numberSigns(locale).decimal === "," ? "," : ".";
  const separator = decimal === "," ? ";" : ",";
  const words = booksWords(locale);
  const columns: readonly BooksColumn[] = [
    ...placeColumns,
    ...(lines === "items" ? itemColumns : []),
    ...moneyColumns,
    ...partyColumns,
  ];

  const money = (amount: number | null, currency: string): string =>
    amount === null ? "" : decimalMoney(amount, currency).replace(".", decimal);
  const write = (movement: Movement, item: OrderItem | null, fee: number | null): string => {
    const cells = {
      ...placeCells(movement, style),
      ...itemCells(item, (amount) => money(amount, movement.currency)),
      ...moneyCells(movement, { item, fee }, money),
      ...partyCells(movement, style),
    };
    return separatedRow(
      columns.map((name) => (numbers.has(name) ? cells[name] : guardCell(cells[name], separator))),
      separator,
    );
  };

  return {
    head: separatedRow(
      columns.map((name) => words.heads[name]),
      separator,
    ),
    line(movement) {
      const fee = shownFee(movement);
      const items = lines === "items" && movement.kind === "sale" ? movement.order?.items : null;
      if (!items || items.length === 0) return write(movement, null, fee);
      const parts = fee === null ? [] : shareOut(fee, items);
      return items.map((item, index) => write(movement, item, parts[index] ?? null)).join("");
    },
  };
}

type Cells<Columns extends readonly string[]> = Readonly<Record<Columns[number], string>>;

/** Writes a day and a time of a zone as every spreadsheet reads them: 2026-01-31, 13:45:10. */
export function localDay(at: number, timeZone: string): readonly [day: string, time: string] {
  const [day = "", time = ""] = wallClock(at, timeZone).split("T");
  return [day, time];
}

function placeCells(
  { at, kind, order, reference }: Movement,
  { locale, timezone }: BooksStyle,
): Cells<typeof placeColumns> {
  const [date, time] = localDay(at, timezone);
  return {
    date,
    time,
    kind: booksWords(locale).kinds[kind],
    order_number: order === null ? "" : String(order.number),
    order_id: order?.id ?? "",
    reference: reference ?? "",
  };
}

const itemCells = (
  item: OrderItem | null,
  money: (amount: number) => string,
): Cells<typeof itemColumns> => ({
  product: item?.name ?? "",
  product_slug: item?.product_slug ?? "",
  quantity: item === null ? "" : String(item.quantity),
  unit_amount: item === null ? "" : money(item.unit_amount),
});

/** Gives null where nobody told a fee, and for money that goes back: its fee was the sale's. */
function shownFee({ kind, fee, order }: Movement): number | null {
  if (kind === "sale") return order && ownFee(order);
  return kind === "refund" || kind === "chargeback" ? null : fee;
}

/** Divides an amount by what the items cost. The parts add up to it. */
export function shareOut(amount: number, items: readonly OrderItem[]): readonly number[] {
  const whole = items.reduce((sum, { amount_total }) => sum + BigInt(amount_total), 0n);
  let before = 0n;
  let shared = 0n;
  return items.map(({ amount_total }) => {
    before += BigInt(amount_total);
    const until = whole === 0n ? BigInt(amount) : (BigInt(amount) * before) / whole;
    const part = until - shared;
    shared = until;
    return Number(part);
  });
}

interface Part {
  readonly item: OrderItem | null;
  /** Null when nobody told one. */
  readonly fee: number | null;
}

/** An item has its own part of the sale. The parts add up to the order. */
function moneyCells(
  { kind, currency, order, gross, refunded, charged_back }: Movement,
  { item, fee }: Part,
  money: (amount: number | null, currency: string) => string,
): Cells<typeof moneyColumns> {
  const sold = kind === "sale" ? (item ?? order) : null;
  const came = sold?.amount_total ?? gross;
  const net = came - refunded - charged_back;
  return {
    currency,
    subtotal: money(sold?.amount_subtotal ?? null, currency),
    discount: money(sold?.amount_discount ?? null, currency),
    gross: money(came, currency),
    refunded: money(refunded, currency),
    charged_back: money(charged_back, currency),
    net: money(net, currency),
    fee: money(fee, currency),
    after_fees: money(net - (fee ?? 0), currency),
  };
}

function partyCells(
  { order }: Movement,
  { locale, tax_ids }: BooksStyle,
): Cells<typeof partyColumns> {
  const method = order?.payment_method_type;
  const { name, email, tax_id, country } = order?.customer ?? {};
  return {
    method: method ? booksWords(locale).methods[method] : "",
    coupon: order?.coupon_code ?? "",
    customer: name ?? "",
    email: email ?? "",
    tax_id: tax_id && !tax_ids ? "***" : (tax_id ?? ""),
    country: country ?? "",
  };
}

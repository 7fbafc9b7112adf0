import type { OrderStatus } from "../../contract/schemas.ts";

interface OrderState {
  /** The money came, whatever happened to the order afterwards. */
  readonly paid: boolean;
  /** The order waits for its payment: goods are held, and it can still fail. */
  readonly open: boolean;
  /** No refund is made of it any more. */
  readonly final: boolean;
  /** What the checkout page shows of it. Null is the form: the buyer may try again. */
  readonly page: "waiting" | "paid" | "refunded" | null;
}

/** What each status of an order means. A new status does not compile without its line. */
const orderStates = {
  pending: { paid: false, open: true, final: false, page: "waiting" },
  paid: { paid: true, open: false, final: false, page: "paid" },
  failed: { paid: false, open: false, final: true, page: null },
  partially_refunded: { paid: true, open: false, final: false, page: "paid" },
  refunded: { paid: true, open: false, final: true, page: "refunded" },
  chargeback: { paid: true, open: false, final: true, page: "paid" },
} as const satisfies Record<OrderStatus, OrderState>;

/** Gives what a status means. */
export const stateOfOrder = (status: OrderStatus): OrderState => orderStates[status];

/** Tells whether the order's money came, whatever happened to the order afterwards. */
export const isPaid = (status: OrderStatus): boolean => orderStates[status].paid;

/** Tells whether the order waits for its payment. */
export const awaitsPayment = (status: OrderStatus): boolean => orderStates[status].open;

/**
 * Tells whether a refund of the order can be asked for. Exactly then the buyer has what was
 * bought: it is paid for, and neither refunded in full nor disputed.
 */
export const isRefundable = (status: OrderStatus): boolean =>
  orderStates[status].paid && !orderStates[status].final;

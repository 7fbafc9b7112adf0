import type {
  Category,
  CheckoutSession,
  CheckoutSessionDetails,
  CheckoutSessionStatus,
  LineItem,
  PaymentMethod,
  Product,
  Store,
} from "../../contract/schemas.ts";
import { iso } from "../../domain/text/iso.ts";
import type { SessionLine } from "../checkout/session-line.ts";
import { versionOf } from "../checkout/session-version.ts";
import type {
  CategoryRecord,
  OrderRecord,
  PaymentMethodRecord,
  ProductRecord,
  SessionRecord,
  StoreRecord,
} from "../records.ts";
import { optionsField } from "./groups/product-options.ts";
import { isInStock } from "./stock.ts";

// Replies are built here field by field: a stored field that is not named here is never shown.

/**
 * Increase it when a rendered product changes shape: a read renders stored
 * documents of an older version anew.
 */
export const DOCUMENT_VERSION = 1;

export const renderStore = (store: StoreRecord): Store => ({
  id: store.id,
  slug: store.slug,
  name: store.name,
  description: store.description,
  logo_url: store.logo_url,
  website_url: store.website_url,
  support_email: store.support_email,
  support_url: store.support_url,
  terms_url: store.terms_url,
  privacy_url: store.privacy_url,
  country: store.country,
  currency: store.currency,
  locale: store.locale,
  timezone: store.timezone,
  created_at: iso(store.created_at),
});

export const renderCategory = (category: CategoryRecord): Category => ({
  id: category.id,
  slug: category.slug,
  name: category.name,
  description: category.description,
  image_url: category.image_url,
  parent_id: category.parent_id,
  position: category.position,
  created_at: iso(category.created_at),
  updated_at: iso(category.updated_at),
});

export const renderPaymentMethod = (method: PaymentMethodRecord): PaymentMethod => ({
  id: method.id,
  type: method.type,
  name: method.name,
  icon_url: method.icon_url,
  currencies: [...method.currencies],
  min_amount: method.min_amount,
  max_amount: method.max_amount,
  supports_recurring: method.supports_recurring,
  settlement: method.settlement,
  position: method.position,
});

/** Tells whether the product is `available` in one mode: it is neither blocked nor sold out. */
export const isAvailable = (
  product: Pick<ProductRecord, "blocked">,
  on_hand: number | null,
): boolean => !product.blocked && isInStock(on_hand);

export const renderProduct = (product: ProductRecord, available: boolean): Product => ({
  id: product.id,
  slug: product.slug,
  name: product.name,
  description: product.description,
  images: [...product.images],
  price: product.price,
  compare_at_price: product.compare_at_price,
  currency: product.currency,
  available,
  promotion: product.promotion && { ...product.promotion },
  category_ids: [...product.category_ids],
  variables: product.variables.map((variable) => ({ ...variable })),
  recurring: product.recurring && { ...product.recurring },
  max_quantity: product.max_quantity,
  ...optionsField(product),
  ...(product.group && { group: { id: product.group } }),
  created_at: iso(product.created_at),
  updated_at: iso(product.updated_at),
});

/**
 * Gives the product's public JSON, which is rendered when the product is written
 * and sent as stored.
 */
export const productDocument = (product: ProductRecord, on_hand: number | null): string =>
  JSON.stringify(renderProduct(product, isAvailable(product, on_hand)));

/** Gives the session's status. Expiry is a fact of time, so no job has to write it. */
const sessionStatus = (
  { status, expires_at }: SessionRecord,
  now: number,
): CheckoutSession["status"] => (status === "open" && now >= expires_at ? "expired" : status);

const renderLine = ({ currency }: SessionRecord, line: SessionLine): LineItem => ({
  id: line.id,
  product_id: line.product_id,
  name: line.name,
  image_url: line.image_url,
  quantity: line.quantity,
  unit_amount: line.unit_amount,
  amount_subtotal: line.amount_subtotal,
  amount_discount: line.amount_discount,
  amount_total: line.amount_total,
  currency,
  variables: { ...line.variables },
  ...optionsField(line),
});

export const renderSession = (
  session: SessionRecord,
  checkout_url: string,
  now: number,
): CheckoutSession => ({
  id: session.id,
  version: versionOf(session),
  checkout_url,
  status: sessionStatus(session, now),
  payment_status: session.payment_status,
  expires_at: iso(session.expires_at),
  amount_subtotal: session.amount_subtotal,
  amount_discount: session.amount_discount,
  amount_total: session.amount_total,
  currency: session.currency,
  line_items: session.lines.map((line) => renderLine(session, line)),
  coupon_code: session.coupon_code,
  customer: { email: session.email, discord_id: session.discord_id },
  success_url: session.success_url,
  cancel_url: session.cancel_url,
  metadata: { ...session.metadata },
  created_at: iso(session.created_at),
});

/** Renders what a publishable key may see: nothing of the buyer, and no address to pay at. */
export function renderSessionStatus(
  session: SessionRecord,
  order: OrderRecord | null,
  now: number,
): CheckoutSessionStatus {
  return {
    id: session.id,
    version: versionOf(session),
    status: sessionStatus(session, now),
    payment_status: session.payment_status,
    expires_at: iso(session.expires_at),
    amount_subtotal: session.amount_subtotal,
    amount_discount: session.amount_discount,
    amount_total: session.amount_total,
    currency: session.currency,
    line_items: session.lines.map((line) => {
      const { variables: _, ...shown } = renderLine(session, line);
      return shown;
    }),
    order: order && { number: order.number, status: order.status },
  };
}

export const renderSessionDetails = (
  session: SessionRecord,
  { order, checkout_url, now }: SessionDetails,
): CheckoutSessionDetails => ({
  ...renderSession(session, checkout_url ?? "", now),
  checkout_url,
  order: order && { id: order.id, number: order.number, status: order.status },
});

interface SessionDetails {
  readonly order: OrderRecord | null;
  readonly checkout_url: string | null;
  readonly now: number;
}

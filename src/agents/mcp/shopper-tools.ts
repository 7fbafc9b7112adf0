import { z } from "zod";
import { CheckoutChange, CheckoutRequest } from "../../contract/request-bodies.ts";
import { CheckoutSession, CheckoutSessionStatus, Product } from "../../contract/schemas.ts";
import type { ApiAnswer, ApiBody, StoreApi } from "../shared/store-api.ts";
import { oneOfEachGroup, withVariants } from "../shared/variants.ts";
import { type ToolAnswer, type Tools, toolMaker } from "./tools.ts";

/** What the tools of a store work with. */
export interface Shop {
  readonly api: StoreApi;
  /** The buyer is sent to these after the payment, and after giving up. */
  readonly success_url: string;
  readonly cancel_url: string;
  /**
   * Makes the key of a call. Models choose keys such as `purchase-1`, so the same text from another
   * client or address gives another key.
   */
  keyOf(given: string | undefined): Promise<string>;
}

const tool = toolMaker<Shop>();

const text = (most: number) => z.string().min(1).max(most);
const id = text(255);
const idempotency_key = z
  .string()
  .regex(/^[\x21-\x7e]{1,255}$/, "must be 1 to 255 visible ASCII characters")
  .optional()
  .describe(
    "A new random UUID per purchase or change. Repeat it when you call again after an error.",
  );
const { items, customer } = CheckoutRequest.shape;
const change = CheckoutChange.shape;

// A plain object drops what it does not name: an agent is shown what a shopper needs.
const product = z.object(
  Product.omit({ images: true, promotion: true, created_at: true, updated_at: true }).shape,
);
const checkout = z.object(
  CheckoutSession.omit({ success_url: true, cancel_url: true, metadata: true }).shape,
);
const amounts = "Amounts are whole numbers in the currency's smallest unit (cents).";
const variants =
  "One that comes in several options has group.variants: each is bought by its own id.";
const handOff =
  "The buyer pays on the store's own page: give them checkout_url. Nothing is bought until then.";

/** Every tool of a shopper, by its name. */
export const shopperTools: Tools<Shop> = {
  search_products: tool({
    title: "Search products",
    description: `Finds products of the store by words or category. ${amounts} ${variants}`,
    input: z.strictObject({
      query: text(100).optional().describe("Words to look for. Without them all are listed."),
      category: text(255).optional().describe("The slug of a category."),
      limit: z.int().min(1).max(50).default(10),
      cursor: text(2_000).optional().describe("next_cursor of the page before."),
    }),
    output: z.object({
      products: z.array(product),
      next_cursor: z.string().nullable(),
    }),
    isReadOnly: true,
    async run({ query, category, limit, cursor }, { api }) {
      const page = { category, limit: String(limit), starting_after: cursor };
      const asked = { ...oneOfEachGroup, search: query, ...page };
      const given = Object.entries(asked).filter((pair): pair is [string, string] => !!pair[1]);
      const path = `/products?${new URLSearchParams(given)}`;
      const answer = await api<readonly Product[]>({ method: "GET", path });
      if (!answer.ok) return answer;

      const { data, next_cursor } = answer.body;
      const products = await withVariants(data, (id) => findProduct(api, id));
      return { ok: true, body: { products, next_cursor } };
    },
  }),

  get_product: tool({
    title: "Get a product",
    description: `Gives one product, with variables that a buyer fills in. ${amounts} ${variants}`,
    input: z.strictObject({ id_or_slug: id }),
    output: z.object({ product }),
    isReadOnly: true,
    run: ({ id_or_slug }, { api }) =>
      api({ method: "GET", path: `/products/${encodeURIComponent(id_or_slug)}` }).then(
        shown(({ data }) => ({ product: data })),
      ),
  }),

  create_checkout: tool({
    title: "Create a checkout",
    description: `Makes a checkout of products. Prices are the store's own. ${amounts} ${handOff}`,
    input: z.strictObject({ items, customer, coupon_code: text(100).optional(), idempotency_key }),
    output: z.object({ checkout }),
    isReadOnly: false,
    run: async ({ idempotency_key: key, ...wanted }, { api, success_url, cancel_url, keyOf }) =>
      api({
        method: "POST",
        path: "/checkout/sessions",
        body: { ...wanted, success_url, cancel_url },
        idempotencyKey: await keyOf(key),
      }).then(shown(({ data }) => ({ checkout: data }))),
  }),

  update_checkout: tool({
    title: "Change a checkout",
    description:
      "Changes items (all lines), customer or coupon of an open checkout that nobody has begun " +
      `to pay. null takes the coupon away. ${amounts} ${handOff}`,
    input: z.strictObject({ checkout_id: id, ...change, idempotency_key }),
    output: z.object({ checkout }),
    isReadOnly: false,
    run: async ({ checkout_id, idempotency_key: key, ...body }, { api, keyOf }) =>
      api({
        method: "PATCH",
        path: `/checkout/sessions/${encodeURIComponent(checkout_id)}`,
        body,
        idempotencyKey: await keyOf(key),
      }).then(shown(({ data }) => ({ checkout: data }))),
  }),

  get_order_status: tool({
    title: "Get the status of a checkout",
    description:
      `Tells how a checkout and its order stand. ${amounts} ` +
      "Do not hand over goods on it: only the store's own records say that it is paid.",
    input: z.strictObject({ checkout_id: id }),
    output: z.object({ checkout: CheckoutSessionStatus }),
    isReadOnly: true,
    run: ({ checkout_id }, { api }) =>
      api({ method: "GET", path: `/checkout/sessions/${encodeURIComponent(checkout_id)}` }).then(
        shown(({ data }) => ({ checkout: data })),
      ),
  }),
};

/** Gives null where the product cannot be read: the list has shown enough of it. */
async function findProduct(api: StoreApi, id: string): Promise<Product | null> {
  const answer = await api<Product>({ method: "GET", path: `/products/${encodeURIComponent(id)}` });
  return answer.ok ? answer.body.data : null;
}

type Body = Extract<ToolAnswer, { ok: true }>["body"];

const shown =
  (show: (body: ApiBody<unknown>) => Body) =>
  (answer: ApiAnswer<unknown>): ToolAnswer =>
    answer.ok ? { ...answer, body: show(answer.body) } : answer;

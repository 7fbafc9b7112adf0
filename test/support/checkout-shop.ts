import {
  type CheckoutPageOptions,
  createStorefront,
  memoryStorage,
  type Storage,
  type StorefrontOptions,
  sandboxGateway,
} from "vitrine";
import type {
  NextAction,
  PaymentElement,
  PaymentGateway,
  PaymentRequest,
  PaymentResult,
} from "vitrine/gateway";

/** A Pix code as banks make them. */
export const pixText =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865406" +
  "118.005802BR5913Armazem Vitri6008BRASILIA62070503***63041D3D";
export const boletoNumber = "23793.38128 60007.827136 95000.063305 9 96180000011800";

export interface CheckoutShopOptions {
  readonly storage?: Storage;
  /** The origin of the page and of the store's own pages. */
  readonly origin?: string;
  /** The origin of the provider's page. */
  readonly provider?: string;
  /** The origin of the products' pictures. */
  readonly pictures?: string;
  readonly checkoutPage?: CheckoutPageOptions;
  /** The name that the gateway tells buyers. */
  readonly providerName?: string;
  /** The provider's form, by which wallets are paid on the page. */
  readonly element?: PaymentElement;
  readonly store?: object;
  readonly limits?: StorefrontOptions["limits"];
  /** The provider keeps methods for later periods, as this says. */
  readonly keeps?: PaymentGateway["keeps"];
}

export interface SessionOptions {
  readonly livemode?: boolean;
  readonly items?: readonly { readonly product_id: string; readonly quantity: number }[];
  readonly coupon?: string;
}

/** What the provider tells when it is asked about a payment; else it is still open. */
type Told = "succeeded" | "failed";

/** What a test changes of the provider. */
interface Behaviour {
  codeLivesMs: number;
  /** Whether a payment can be canceled. */
  cancels: boolean;
  /** Laid over what the provider answers to a new payment. */
  result: Partial<PaymentResult>;
  /** Laid over the provider's answer to a payment that it refuses. */
  refusal: Partial<PaymentResult>;
  /** The provider answers questions once it resolves. */
  answered: Promise<void>;
  /** Currencies that the provider does not take. */
  refuses: ReadonlySet<string>;
}

/**
 * A store whose provider lies beyond this machine: the type of the method decides how a
 * payment goes on, and the test decides how it ends.
 */
export async function openCheckoutShop(options: CheckoutShopOptions = {}) {
  const origin = options.origin ?? "https://pay.example.com";
  const provider = options.provider ?? "https://bank.example.com";
  const told = new Map<string, Told>();
  const errors: unknown[] = [];
  const asked: string[] = [];
  const requests: PaymentRequest[] = [];
  /** The store's clock goes on by itself, and by what a test adds. */
  let added = 0;
  const now = (): number => Date.now() + added;
  const behaviour: Behaviour = {
    codeLivesMs: 1_800_000,
    cancels: true,
    result: {},
    refusal: {},
    answered: Promise.resolve(),
    refuses: new Set(),
  };

  const actionOf = (type: string, id: string, return_url: string): NextAction | undefined => {
    const back = encodeURIComponent(return_url);
    const actions: Readonly<Record<string, NextAction>> = {
      pix: { type: "qr_code", text: pixText, expires_at: now() + behaviour.codeLivesMs },
      boleto: {
        type: "voucher",
        number: boletoNumber,
        url: `${provider}/boleto.pdf`,
        expires_at: now() + 3 * 86_400_000,
      },
      card: { type: "redirect", url: `${provider}/pay?id=${id}&back=${back}` },
      wallet: { type: "client_secret", client_secret: "cs_1", publishable_key: "pk_1" },
    };
    return actions[type];
  };
  const gateway = (livemode: boolean): PaymentGateway => ({
    id: "bank",
    livemode,
    methods: () => [],
    ...(options.keeps && { keeps: options.keeps, chargeSaved: async () => Promise.reject() }),
    refusal: ({ currency }) => (behaviour.refuses.has(currency) ? "currency_mismatch" : null),
    provider: options.providerName,
    ...(options.element && { element: options.element }),
    async createPayment(request) {
      requests.push(request);
      const { id, amount, currency, method, return_url, on_page = false } = request;
      const isAway = method.type === "wallet" && options.element !== undefined && !on_page;
      const next_action = actionOf(isAway ? "card" : method.type, id, return_url);
      const base = { reference: `bank_${id}`, amount, currency };
      if (method.type === "crypto")
        return { ...base, status: "failed", failure_code: "declined", ...behaviour.refusal };
      return { ...base, status: "pending", next_action, ...behaviour.result };
    },
    async getPayment({ id, reference }) {
      asked.push(id);
      await behaviour.answered;
      const status = told.get(id) ?? "pending";
      const found = findAmount(id);
      return { status, reference: reference ?? "", ...found };
    },
    async cancelPayment({ id, reference }) {
      if (!behaviour.cancels || told.has(id)) return;
      const failure_code = "canceled";
      return { status: "failed", reference: reference ?? "", ...findAmount(id), failure_code };
    },
  });
  const amounts = new Map<string, { readonly amount: number; readonly currency: string }>();
  const findAmount = (id: string) => amounts.get(id) ?? { amount: 0, currency: "BRL" };
  const remember = (made: PaymentGateway): PaymentGateway => ({
    ...made,
    createPayment(request) {
      amounts.set(request.id, { amount: request.amount, currency: request.currency });
      return made.createPayment(request);
    },
  });

  const storefront = createStorefront({
    storage: options.storage ?? memoryStorage(),
    publicUrl: "https://api.example.com",
    checkout: { baseUrl: `${origin}/pay` },
    checkoutPage: options.checkoutPage,
    gateways: [remember(gateway(true)), remember(gateway(false)), sandboxGateway()],
    sealKey: new Uint8Array(32).fill(3),
    limits: { checkout: null, ...options.limits },
    onError: (error) => void errors.push(error),
    now,
  });
  const { owner } = storefront;
  const store = await owner.stores.create({
    name: "Armazém Vitrine",
    currency: "BRL",
    country: "BR",
    locale: "pt-BR",
    timezone: "America/Sao_Paulo",
    support_email: "ajuda@armazem.example",
    terms_url: "https://armazem.example/termos",
    privacy_url: "https://armazem.example/privacidade",
    ...options.store,
  });
  await owner.stores.update(store.id, { headless_enabled: true });
  await owner.origins.add(store.id, "https://shop.example.com");
  const success_url = `${origin}/thanks?session={CHECKOUT_SESSION_ID}`;
  const cancel_url = `${origin}/cart`;
  for (const url of [`${origin}/thanks`, cancel_url]) await owner.returnUrls.add(store.id, url);

  const image = (name: string): string[] =>
    options.pictures === undefined ? [] : [`${options.pictures}/${name}.svg`];
  const product = (name: string, price: number, picture: string, stock: number | null = null) =>
    owner.products.create(store.id, {
      name,
      price,
      currency: "BRL",
      stock,
      images: image(picture),
    });
  const apron = await product("Avental de lona", 9_800, "canvas-apron");
  const coffee = await product("Café da Montanha, 500 g", 2_000, "montanha");
  await owner.coupons.create(store.id, {
    code: "BEMVINDO",
    discount_type: "percentage",
    discount_amount: 10,
  });

  const keys = {
    live: await owner.keys.create({ store_id: store.id, livemode: true, kind: "secret" }),
    test: await owner.keys.create({ store_id: store.id, livemode: false, kind: "secret" }),
  };
  let calls = 0;
  const ask = async (method: string, path: string, { key }: { key: string }, body: object) => {
    calls += 1;
    return storefront.handler(
      new Request(`https://api.example.com/v1/checkout/sessions${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": `purchase-${calls}`,
        },
        body: JSON.stringify(body),
      }),
    );
  };
  /** Changes a live session. */
  const change = (id: string, body: object) => ask("PATCH", `/${id}`, keys.live, body);
  const session = async ({ livemode = true, items, coupon }: SessionOptions = {}) => {
    const answer = await ask("POST", "", livemode ? keys.live : keys.test, {
      items: items ?? [
        { product_id: apron.id, quantity: 1 },
        { product_id: coffee.id, quantity: 2 },
      ],
      success_url,
      cancel_url,
      ...(coupon === undefined ? {} : { coupon_code: coupon }),
    });
    const { data } = (await answer.json()) as {
      readonly data: { readonly id: string; readonly checkout_url: string };
    };
    const token = data.checkout_url.split("/").at(-1) ?? "";
    return { id: data.id, url: data.checkout_url, token };
  };
  const method = (type: "pix" | "boleto" | "card" | "wallet" | "crypto" | "other", name: string) =>
    owner.paymentMethods.create(store.id, {
      type,
      name,
      currencies: ["BRL"],
      gateway: "bank",
      settlement: type === "boleto" ? "delayed" : "instant",
    });

  return {
    storefront,
    owner,
    store,
    origin,
    errors,
    asked,
    /** What the provider was asked to take. */
    requests,
    behaviour,
    change,
    products: { apron, coffee },
    methods: {
      pix: await method("pix", "Pix"),
      card: await method("card", "Cartão de crédito"),
      boleto: await method("boleto", "Boleto"),
    },
    product,
    method,
    session,
    /** The provider has the money of this session, or has refused it. */
    async tell(token: string, status: Told): Promise<void> {
      const view = await storefront.checkout.view(token);
      for (const id of amounts.keys()) if (!told.has(id)) told.set(id, status);
      if (!view.order) throw new Error("Nothing was submitted.");
    },
    advance(ms: number): void {
      added += ms;
    },
  };
}

export type CheckoutShop = Awaited<ReturnType<typeof openCheckoutShop>>;

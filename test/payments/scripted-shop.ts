import { type Storage, type StorefrontOptions, sandboxGateway } from "vitrine";
import type { GatewayNotification, PaymentGateway, PaymentResult } from "vitrine/gateway";
import { createShop, type Shop } from "../support/shop.ts";

export const paid = { status: "succeeded", amount: 1000, currency: "BRL" } as const;
export const open = { ...paid, status: "pending" } as const;

type Session = Awaited<ReturnType<Shop["session"]>>;

interface Script extends Partial<StorefrontOptions> {
  /** What is not scripted of the gateway: by default the sandbox, whose payments wait. */
  readonly gateway?: PaymentGateway;
}

const waiting: PaymentGateway = {
  ...sandboxGateway(),
  createPayment: async () => ({ ...open, reference: "none" }),
};

/** A shop with a gateway of test mode whose answers and messages the test writes. */
export async function scriptedShop(
  storage: Storage,
  { gateway: rest = waiting, ...options }: Script = {},
) {
  const answers: PaymentResult[] = [];
  const messages = new Map<string, GatewayNotification>();
  let account: string | null = null;
  let lookUp: PaymentResult | null = null;
  const gateway: PaymentGateway = {
    ...rest,
    account: () => account,
    createPayment: async (request) => answers.shift() ?? rest.createPayment(request),
    getPayment: async () => lookUp,
    cancelPayment: async () => {},
    async parseNotification({ body }) {
      const message = messages.get(new TextDecoder().decode(body));
      return message ? [message] : [];
    },
  };

  const shop = await createShop(storage, {
    limits: { checkout: null },
    ...options,
    gateways: [gateway],
  });
  const where = { store_id: shop.a.id, livemode: false };
  let told = 0;
  return {
    ...shop,
    where,
    setAccount(name: string | null) {
      account = name;
    },
    setLookUp(result: PaymentResult | null) {
      lookUp = result;
    },
    /** The gateway's next answer to a payment. */
    answer: (result: PaymentResult) => void answers.push(result),
    /** Submits a session; the gateway answers with this. */
    async submit(session: Session, answer: PaymentResult, { method_id } = shop.a) {
      answers.push(answer);
      const input = { payment_method_id: method_id };
      return shop.storefront.checkout.submit(shop.tokenOf(session), input);
    },
    /** The gateway tells of a payment. Each message has an id of its own unless the fact has one. */
    async tell(fact: object) {
      const notification_id = `n${++told}`;
      messages.set(notification_id, {
        notification_id,
        type: "payment",
        ...fact,
      } as GatewayNotification);
      return shop.storefront.checkout.handleNotification("sandbox", {
        livemode: false,
        body: new TextEncoder().encode(notification_id),
        header: () => undefined,
      });
    },
    alerts: async (store_id = shop.a.id) =>
      (await shop.owner.alerts.list(store_id)).data.map(({ type, data }) => ({ type, data })),
    order: async (id: string) => shop.storefront.orders.retrieve(id, where),
    money: async (id: string) => shop.storefront.orders.listPayments(id, where),
  };
}

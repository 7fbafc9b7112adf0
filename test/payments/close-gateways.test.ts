import { expect, test } from "vitest";
import { createStorefront, memoryStorage } from "vitrine";
import type { PaymentGateway } from "vitrine/gateway";

const gateway = (id: string, close?: PaymentGateway["close"]): PaymentGateway => ({
  id,
  livemode: false,
  methods: () => [],
  createPayment: async ({ amount, currency }) => ({
    status: "succeeded",
    reference: "1",
    amount,
    currency,
  }),
  ...(close && { close }),
});

test("close() closes every gateway that can be closed, and then the storage", async () => {
  const closed: string[] = [];
  const errors: string[] = [];
  const storage = memoryStorage();
  const storefront = createStorefront({
    storage: {
      ...storage,
      close: async () => {
        closed.push("storage");
        await storage.close();
      },
    },
    docsUrl: "https://docs.example.com/errors",
    checkout: { baseUrl: "https://pay.example.com/c" },
    sealKey: new Uint8Array(32).fill(3),
    gateways: [
      gateway("fails", () => {
        throw new Error("It is closed already.");
      }),
      gateway("plain"),
      gateway("later", async () => {
        await new Promise(setImmediate);
        closed.push("later");
      }),
    ],
    onError: (error, where) => void errors.push(`${where}: ${error}`),
  });

  await storefront.close();
  expect(closed).toEqual(["later", "storage"]);
  expect(errors).toEqual(["gateway:fails: Error: It is closed already."]);
});

import { describe, expect, test } from "vitest";
import { addDevolution, receivePix } from "./books.ts";
import { enumOfDocument } from "./judge.ts";
import { endBanksAfterEach } from "./setup.ts";
import { pixShop } from "./shop.ts";

// Every status and kind that the Banco Central's document lists for charges and for money that goes
// back is a row: what it does to an order. A value that a later version lists has no row, and fails.

endBanksAfterEach();

type Shop = Awaited<ReturnType<typeof pixShop>>;
type Bought = Awaited<ReturnType<Shop["submit"]>>["order"];

async function effectOf(shop: Shop, order: Bought): Promise<string> {
  const { status, failure_code, amount_refunded } = await shop.order(order);
  const refunded = amount_refunded > 0 ? ` ${amount_refunded}` : "";
  return `${status}${failure_code === null ? "" : ` ${failure_code}`}${refunded}`;
}

/** What an order is when the bank is asked about its charge. */
const charges: Readonly<Record<string, string>> = {
  ATIVA: "pending",
  // Without its Pix the money has no name: the payment stays open, and is asked about again.
  CONCLUIDA: "pending",
  REMOVIDA_PELO_USUARIO_RECEBEDOR: "failed canceled",
  REMOVIDA_PELO_PSP: "failed canceled",
};

describe("a status of a charge", () => {
  test("has a row for each that the document lists", () => {
    expect(Object.keys(charges).sort()).toEqual([...enumOfDocument("CobrancaStatus")].sort());
  });

  test.each(Object.entries(charges))("%s", async (status, effect) => {
    const shop = await pixShop();
    const { order, token } = await shop.submit();
    Object.assign(shop.charge(), { status });
    await shop.storefront.checkout.resume(token).catch(() => {});
    expect(await effectOf(shop, order)).toBe(effect);
  });

  test.each(Object.keys(charges))("%s with money pays all the same", async (status) => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    receivePix(shop.bank.books(), shop.charge());
    Object.assign(shop.charge(), { status });
    await shop.bank.outbox.deliver();
    expect(await effectOf(shop, order)).toBe("paid");
  });
});

/** What a paid order of 20.00 is after 5.00 of it go back in this kind, by the status. */
const refunded = { EM_PROCESSAMENTO: "paid", DEVOLVIDO: "partially_refunded 500" };
const disputed = { EM_PROCESSAMENTO: "chargeback", DEVOLVIDO: "chargeback" };
const returns: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ORIGINAL: { ...refunded, NAO_REALIZADO: "paid" },
  RETIRADA: { ...refunded, NAO_REALIZADO: "paid" },
  MED_OPERACIONAL: { ...disputed, NAO_REALIZADO: "paid" },
  MED_FRAUDE: { ...disputed, NAO_REALIZADO: "paid" },
  MED_PIX_AUTOMATICO: { ...disputed, NAO_REALIZADO: "paid" },
};

describe("money that goes back", () => {
  test("has a row for each kind and status that the document lists", () => {
    expect(Object.keys(returns).sort()).toEqual([...enumOfDocument("DevolucaoNatureza")].sort());
    const listed = [...enumOfDocument("Devolucao", "status")].sort();
    for (const row of Object.values(returns)) expect(Object.keys(row).sort()).toEqual(listed);
  });

  const rows = Object.entries(returns).flatMap(([natureza, row]) =>
    Object.entries(row).map(([status, effect]) => [natureza, status, effect] as const),
  );
  test.each(rows)("%s, %s", async (natureza, status, effect) => {
    const shop = await pixShop();
    const { order } = await shop.submit();
    const pix = receivePix(shop.bank.books(), shop.charge());
    await shop.bank.outbox.deliver();
    const devolution = addDevolution(shop.bank.books(), pix, {
      ...{ id: "bank1", valor: "5.00", natureza },
      status: status as "DEVOLVIDO",
    });
    if (status === "NAO_REALIZADO") Object.assign(devolution, { motivo: "Negado" });
    await shop.bank.outbox.deliver();
    expect(await effectOf(shop, order)).toBe(effect);
  });
});

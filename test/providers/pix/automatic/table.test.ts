import { describe, expect, test } from "vitest";
import { enumOfDocument } from "../judge.ts";
import { endBanksAfterEach } from "../setup.ts";
import { tellCharge, tellRecurrence } from "./books.ts";
import { day, subscribed } from "./subscriber.ts";

// Every state that the Banco Central's document lists is a row: what it does to a subscription. A
// state that a later version lists has no row, and fails.

endBanksAfterEach();

/** What the payment of a period is when the bank shows its charge in this state, without money. */
const charges: Readonly<Record<string, string>> = {
  CRIADA: "pending",
  ATIVA: "pending",
  // Without its Pix the money has no name: the payment stays open, and is asked about again.
  CONCLUIDA: "pending",
  EXPIRADA: "failed declined",
  REJEITADA: "failed declined",
  CANCELADA: "failed canceled",
};

/** What the payment is when the one try of an active charge stands so. */
const tries: Readonly<Record<string, string>> = {
  SOLICITADA: "pending",
  AGENDADA: "pending",
  PAGA: "pending",
  CANCELADA: "failed declined",
  REJEITADA: "failed declined",
  EXPIRADA: "failed declined",
};

async function charged() {
  const shop = await subscribed();
  await shop.goTo("2026-01-28T14:00:00Z", day);
  const [charge] = shop.charges();
  if (!charge) throw new Error("Nothing was charged.");
  const effect = async (): Promise<string> => {
    tellCharge(shop.bank.books(), charge);
    await shop.bank.outbox.deliver();
    await shop.advanceClock(30 * 60_000);
    const { data } = await shop.storefront.owner.orders.list({ ...shop.where, limit: 1 });
    const [order] = data;
    return `${order?.status}${order?.failure_code ? ` ${order.failure_code}` : ""}`;
  };
  return { charge, effect };
}

describe("a recurring charge", () => {
  test("has a row for each state that the document lists, and for each of its tries", () => {
    expect(Object.keys(charges).sort()).toEqual([...enumOfDocument("CobRStatus", "status")].sort());
    const listed = enumOfDocument("CobRTentativas", "tentativas.status");
    expect(Object.keys(tries).sort()).toEqual([...listed].sort());
  });

  test.each(Object.entries(charges))("%s", async (status, effect) => {
    const { charge, effect: found } = await charged();
    Object.assign(charge, { status });
    expect(await found()).toBe(effect);
  });

  test.each(Object.entries(tries))("whose try is %s", async (status, effect) => {
    const { charge, effect: found } = await charged();
    for (const one of charge.tentativas) Object.assign(one, { status });
    expect(await found()).toBe(effect);
  });
});

/** Whether the buyer is asked to pay when the bank tells of a recurrence in this state. */
const recurrences: Readonly<Record<string, boolean>> = {
  CRIADA: false,
  APROVADA: false,
  REJEITADA: true,
  EXPIRADA: true,
  CANCELADA: true,
};

describe("a recurrence", () => {
  test("has a row for each state that the document lists", () => {
    const listed = [...enumOfDocument("RecStatus", "status")].sort();
    expect(Object.keys(recurrences).sort()).toEqual(listed);
  });

  test.each(Object.entries(recurrences))("%s", async (status, isAsked) => {
    const shop = await subscribed();
    Object.assign(shop.recurrence(), { status });
    tellRecurrence(shop.bank.books(), shop.recurrence());
    await shop.bank.outbox.deliver();
    const asked = (await shop.events()).includes("subscription.payment_action_required");
    expect(asked).toBe(isAsked);
    expect((await shop.find()).next_charge_at === null).toBe(isAsked);
  });

  test("that the buyer's bank has not confirmed charges nothing", async () => {
    const shop = await subscribed();
    Object.assign(shop.recurrence(), { status: "CRIADA" });
    await shop.goTo("2026-01-29T12:00:00Z", day);
    expect(shop.charges()).toEqual([]);
    expect((await shop.events()).at(-1)).toBe("subscription.payment_action_required");
  });
});

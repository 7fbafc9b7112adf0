import { afterAll, afterEach, expect } from "vitest";
import { type PixGateway, type PixOptions, pixGateway } from "vitrine/pix";
import type { GatewayMessage } from "../../../src/payments/gateway/gateway-message.ts";
import type { Books, FakeCharge } from "./books.ts";
import { callbackSecret, type FakeBank, type FakeBankOptions, startFakeBank } from "./fake-bank.ts";
import { pixJudge } from "./judge.ts";

const running: FakeBank[] = [];

/** Starts a bank that is judged by the Banco Central's document, for one test. */
export async function judgedBank(options: FakeBankOptions = {}): Promise<FakeBank> {
  const bank = await startFakeBank({ judge: pixJudge(), ...options });
  running.push(bank);
  return bank;
}

/** Ends the banks of a test, and fails it when the document was not kept to. */
export const endBanksAfterEach = (): void => afterEach(endBanks);

/** The same for a file whose tests run at once. */
export const endBanksAfterAll = (): void => afterAll(endBanks);

async function endBanks(): Promise<void> {
  for (const bank of running.splice(0)) {
    await bank.close();
    expect(bank.complaints).toEqual([]);
  }
}

export const gatewayOf = (bank: FakeBank, options: Partial<PixOptions> = {}): PixGateway =>
  pixGateway({
    baseUrl: bank.baseUrl,
    account: bank.account(),
    callback: { secret: callbackSecret },
    livemode: false,
    ...options,
  });

const address = "https://shop.example.com/notifications/gateways/pix/test";

/** A message as the bank sends it: it has appended `/pix` to the address. */
export const bankMessage = (
  body: string,
  query = `?secret=${callbackSecret}/pix`,
): GatewayMessage => ({
  body: new TextEncoder().encode(body),
  url: `${address}${query}`,
  header: () => undefined,
});

export function only<T>(shelf: ReadonlyMap<string, T>): T {
  const [one, ...others] = shelf.values();
  if (one === undefined || others.length > 0) throw new Error(`There are ${shelf.size} of these.`);
  return one;
}

export function chargeIn(books: Books, txid: string): FakeCharge {
  const charge = books.charges.get(txid);
  if (!charge) throw new Error(`The bank has no charge ${txid}.`);
  return charge;
}

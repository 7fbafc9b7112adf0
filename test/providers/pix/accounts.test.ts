import { describe, expect, test } from "vitest";
import { type PixOptions, pixGateway } from "vitrine/pix";
import { keepAccounts, maxOpenAccounts } from "../../../adapters/payments/pix/accounts.ts";
import type { FakeBank } from "./fake-bank.ts";
import { endBanksAfterEach, judgedBank } from "./setup.ts";
import { pixShop } from "./shop.ts";

endBanksAfterEach();

const tokensOf = ({ calls }: FakeBank): number =>
  calls.filter((call) => call === "POST /oauth/token").length;

describe("many accounts", () => {
  const opened = async () => {
    const bank = await judgedBank();
    const account = bank.account();
    const accounts = keepAccounts({
      baseUrl: new URL(`${bank.baseUrl}/`),
      tokenUrl: new URL("/oauth/token", bank.baseUrl),
      clientAuthentication: "basic",
      headers: {},
      isAutomatic: false,
      account: (store_id) => ({ ...account, clientId: `client-${store_id}` }),
      now: Date.now,
    });
    const ask = async (store_id: string): Promise<unknown> => {
      const path = `cob/${"a".repeat(26)}`;
      const { signal } = new AbortController();
      return (await accounts.open(store_id)).call({ method: "GET", path, signal });
    };
    const openOthers = async (): Promise<void> => {
      for (let at = 0; at < maxOpenAccounts - 1; at += 1) await accounts.open(`other${at}`);
    };
    return { bank, ask, openOthers };
  };

  test("the one used longest ago is closed, and opens again with a new token", async () => {
    const { bank, ask, openOthers } = await opened();
    await ask("used_before");
    await ask("used_later");
    expect([bank.connections(), tokensOf(bank)]).toEqual([2, 2]);

    await openOthers();
    await expect.poll(bank.connections).toBe(1);
    await ask("used_later");
    expect(tokensOf(bank)).toBe(2);
    await ask("used_before");
    expect([bank.connections(), tokensOf(bank)]).toEqual([2, 3]);
  });

  test("a call that is on its way when its account is closed gets its answer", async () => {
    const { bank, ask, openOthers } = await opened();
    await ask("used_before");
    bank.wire.choose = () => ({ delay_ms: 300 });
    const running = ask("used_before");
    await ask("used_later");
    await openOthers();
    expect(await running).toBeNull();
    await expect.poll(bank.connections).toBe(1);
  });
});

describe("storefront.close", () => {
  test("closes the connections to the bank, and a later call opens them again", async () => {
    const shop = await pixShop();
    await shop.submit();
    expect(shop.bank.connections()).toBe(1);
    await shop.storefront.close();
    await expect.poll(shop.bank.connections).toBe(0);
    await shop.submit();
    expect(shop.bank.books().charges.size).toBe(2);
    await shop.storefront.close();
  });
});

describe("client credentials", () => {
  test.each(["basic", "body", "certificate"] as const)(
    "are shown by %s where the bank wants them so, and in no other way",
    async (clientAuthentication) => {
      const pix = { clientAuthentication };
      const shop = await pixShop({ pix, bank: pix });
      expect((await shop.submit()).status).toBe("requires_action");

      const others = (["basic", "body", "certificate"] as const).filter(
        (one) => one !== clientAuthentication,
      );
      for (const other of others) {
        const { baseUrl } = shop.bank;
        const wrong = { clientAuthentication: other, baseUrl, account: shop.bank.account() };
        const refused = await pixShop({ pix: wrong });
        expect((await refused.submit()).status).toBe("failed");
        expect(refused.errors.join()).toContain("invalid_client");
      }
    },
  );

  test("need no secret where the certificate shows them, and an unknown way is refused", async () => {
    const bank = await judgedBank({ clientAuthentication: "certificate" });
    const { clientSecret: _, ...account } = bank.account();
    const options: PixOptions = {
      baseUrl: bank.baseUrl,
      tokenUrl: new URL("/oauth/token?grant_type=client_credentials", bank.baseUrl).href,
      account,
      callback: { secret: "callback-secret-of-a-test" },
    };
    const clientAuthentication = "certificate";
    const gateway = pixGateway({ ...options, clientAuthentication });
    await gateway.registerWebhook({ store_id: "str_1", url: "https://shop.example.com/n" });
    expect(bank.webhooks.size).toBe(1);
    await gateway.close?.();

    expect(() => pixGateway(options)).toThrow("clientSecret");
    const wrong = { ...options, clientAuthentication: "post" } as unknown as PixOptions;
    expect(() => pixGateway(wrong)).toThrow("must be basic, body or certificate");
  });
});

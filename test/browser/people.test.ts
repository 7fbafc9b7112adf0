import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { Browser, BrowserContextOptions, CDPSession, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { toNode } from "vitrine/node";
import { launchChromium } from "../support/chromium.ts";
import { createDashboardShop, type DashboardShop, everything } from "../support/dashboard-shop.ts";
import { freePort } from "../support/free-port.ts";
import { faultsOf, keepFaults, refusals } from "../support/page-faults.ts";

let browser: Browser;
let shop: DashboardShop;
let server: Server;
let origin: string;
const faults: string[] = [];

const ownCookie = { name: "host", value: "ana" };

beforeAll(async () => {
  browser = await launchChromium();
  const port = await freePort();
  // Passkeys belong to a name, and browsers trust this one without https.
  origin = `http://localhost:${port}`;
  const authorize = ({ native }: { readonly native: unknown }) =>
    /\bhost=ana\b/.test((native as IncomingMessage).headers.cookie ?? "") ? everything : null;
  shop = await createDashboardShop({ options: { authorize, publicUrl: origin } });
  server = createServer(toNode(shop.dashboard)).listen(port, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  await browser?.close();
  server?.close();
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

const phone = { width: 360, height: 800 };

/** Opens a page, and keeps what the browser complains of: errors and breaches of the policy. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ locale: "en-US", viewport: phone, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  keepFaults(page, faults, refusals);
  return page;
}

/** A page of the owner, whom the host knows. */
async function openAsOwner(): Promise<Page> {
  const page = await open();
  await page.context().addCookies([{ ...ownCookie, url: origin }]);
  return page;
}

/** Gives the page a device that verifies its person by itself, or refuses to. */
async function giveDevice(page: Page): Promise<{ cdp: CDPSession; authenticatorId: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

const people = () => `${origin}/dashboard/${shop.a.id}/test/people`;

describe("a person on a phone", () => {
  test("is invited on the screen, keeps a passkey, signs in by it alone, and is gone when ended", async () => {
    const ana = await openAsOwner();
    await ana.goto(people());
    expect(await faultsOf(ana, null)).toEqual([]);
    await ana.setViewportSize(phone);
    await ana.getByRole("link", { name: "Invite a person" }).click();
    await ana.getByLabel("Name", { exact: true }).fill("Bia");
    const actions = ana.getByText("Choose the actions");
    await expect.poll(() => actions.isVisible()).toBe(false);
    await ana.getByLabel("Rights", { exact: true }).selectOption("some");
    await expect.poll(() => actions.isVisible()).toBe(true);
    await ana.getByLabel("Rights", { exact: true }).selectOption("all");
    await ana.getByRole("button", { name: "Invite a person" }).click();
    const link = await ana.getByLabel("Link", { exact: true }).inputValue();
    expect(await faultsOf(ana, null)).toEqual([]);

    const bia = await open();
    const { cdp, authenticatorId } = await giveDevice(bia);
    await bia.goto(link);
    await bia.getByRole("button", { name: "Sign in" }).click();
    expect(await faultsOf(bia, null)).toEqual([]);
    await bia.setViewportSize(phone);
    await bia.getByRole("button", { name: "Keep a passkey" }).click();
    await bia.getByText("From now on you can sign in with nothing else").waitFor();
    const { credentials } = await cdp.send("WebAuthn.getCredentials", { authenticatorId });
    expect(
      credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential]),
    ).toEqual([["localhost", true]]);
    expect(await faultsOf(bia, null)).toEqual([]);
    await bia.setViewportSize(phone);

    await bia.goto(`${origin}/dashboard/sign-out`);
    await bia.getByRole("button", { name: "Sign out" }).click();
    await bia.goto(people());
    expect(await faultsOf(bia, null)).toEqual([]);
    await bia.setViewportSize(phone);
    await bia.getByRole("button", { name: "Sign in with a passkey" }).focus();
    await bia.keyboard.press("Enter");
    await bia.getByText("This is you").waitFor();
    await expect.poll(() => bia.url()).toBe(people());

    await ana.goto(people());
    await ana.getByRole("link", { name: "Bia" }).click();
    expect(await faultsOf(ana, null)).toEqual([]);
    await ana.setViewportSize(phone);
    await ana.getByRole("link", { name: "End" }).click();
    expect(await faultsOf(ana, null)).toEqual([]);
    await ana.getByRole("button", { name: "End" }).click();
    await ana.getByText("access has ended").waitFor();

    await bia.reload();
    await bia.getByRole("button", { name: "Sign in with a passkey" }).click();
    await bia.getByText("That passkey was not accepted").waitFor();
    expect(await faultsOf(bia, null)).toEqual([]);
    await Promise.all([ana, bia].map((page) => page.context().close()));
  });

  test("is told when the device does not verify, and nothing is sent", async () => {
    const { url } = await shop.dashboard.people.invite({
      store_id: shop.a.id,
      name: "Caio",
      access: "read",
    });
    const page = await open({ locale: "pt-BR" });
    const { cdp, authenticatorId } = await giveDevice(page);
    await page.goto(url);
    await page.getByRole("button", { name: "Entrar" }).click();
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
    await page.getByRole("button", { name: "Guardar uma chave de acesso" }).click();
    await page.getByText("Nada foi feito: o navegador não tem chave").waitFor();
    await cdp.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
    await page.getByRole("button", { name: "Guardar uma chave de acesso" }).click();
    await page.getByText("A chave de acesso foi guardada").waitFor();
    expect(await faultsOf(page, null)).toEqual([]);
    await page.context().close();
  });

  test("without JavaScript is let in by the link, and told what a passkey needs", async () => {
    const ana = await open({ javaScriptEnabled: false });
    await ana.context().addCookies([{ ...ownCookie, url: origin }]);
    await ana.goto(`${people()}/invite`);
    await ana.getByLabel("Name", { exact: true }).fill("Davi");
    await ana.getByRole("button", { name: "Invite a person" }).click();
    const link = await ana.getByLabel("Link", { exact: true }).inputValue();

    const davi = await open({ javaScriptEnabled: false });
    await davi.goto(link);
    await davi.getByRole("button", { name: "Sign in" }).click();
    await davi.getByRole("heading", { name: "Your passkeys" }).waitFor();
    expect(await davi.content()).toMatch(/<noscript>.*Passkeys need JavaScript/);
    await expect.poll(() => davi.getByRole("button", { name: "Keep a passkey" }).count()).toBe(0);
    await davi.getByRole("link", { name: "To the dashboard" }).click();
    await davi.getByRole("heading", { level: 1 }).waitFor();
    await expect.poll(() => davi.url()).toContain(shop.a.id);
    await Promise.all([ana, davi].map((page) => page.context().close()));
  });
});

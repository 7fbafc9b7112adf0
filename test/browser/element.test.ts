import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { launchChromium } from "../support/chromium.ts";
import { type ElementWorld, openElementWorld } from "../support/element-world.ts";
import { keepFaults, refusals } from "../support/page-faults.ts";

let browser: Browser;
let world: ElementWorld;
const faults: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  world = await openElementWorld();
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    locale: "pt-BR",
    viewport: { width: 360, height: 740 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  keepFaults(page, faults, refusals);
  return page;
}

/** Fills in the form of the page, and goes on to the element or to Stripe's page. */
async function chooseCard(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.locator("#email").fill("ana@example.com");
  await page.locator("#name").fill("Ana Souza");
  await page.getByLabel("Cartão").check();
  await page.locator("button.primary[value=pay]").click();
}

const frame = (page: Page) => page.frameLocator("#element iframe");
const button = (page: Page) => page.locator("#element-pay");

async function give(page: Page, card: string): Promise<void> {
  await button(page).waitFor();
  await frame(page).locator("#card").fill(card);
  await button(page).click();
}

const cards = {
  good: "4242 4242 4242 4242",
  asks: "4000 0025 0000 3155",
  poor: "4000 0000 0000 9995",
  stolen: "4000 0000 0000 9979",
} as const;

test("a card is paid on the page itself, without a visit to the provider's page", async () => {
  const { url, token } = await world.session();
  const page = await open();
  await chooseCard(page, url);
  await give(page, cards.good);
  await page.waitForURL(`${world.origin}/thanks`);
  expect((await world.order(token))?.status).toBe("paid");

  // The truth is what Stripe says: the message comes afterwards, and counts once.
  await world.fake.outbox.deliver();
  const [intent] = [...world.fake.books().intents.values()];
  expect(intent?.amount_received).toBe(9_800);
  expect(
    await world.storefront.orders.listPayments(...paid(await world.order(token))),
  ).toHaveLength(1);
  await page.context().close();
});

const paid = (order: { readonly id: string } | null) =>
  [order?.id ?? "", { store_id: world.store.id, livemode: false }] as const;

test("two clicks pay once, and so does one in another window after it", async () => {
  const { url, token } = await world.session();
  const [page, other] = [await open(), await open()];
  await chooseCard(page, url);
  await button(page).waitFor();
  await other.goto(url);
  await button(other).waitFor();
  await frame(page).locator("#card").fill(cards.good);
  await frame(other).locator("#card").fill(cards.good);
  const before = world.fake.books().charges.size;
  await button(page).dblclick();
  await page.waitForURL(`${world.origin}/thanks`);
  if (await button(other).isVisible()) await button(other).click();
  await other.waitForURL(/thanks/);
  expect(world.fake.books().charges.size - before).toBe(1);
  expect((await world.order(token))?.status).toBe("paid");
  for (const one of [page, other]) await one.context().close();
});

test.each([
  ["pt-BR", /Falta saldo|saldo/i, /banco/i],
  ["en-US", /too little money/, /bank asked you to confirm/],
])(
  "in %s a refusal and a failed 3-D Secure are told in plain words",
  async (locale, poor, bank) => {
    const { url, token } = await world.session();
    const page = await open({ locale });
    await chooseCard(page, url);
    await give(page, "4242");
    await frame(page).getByRole("alert").waitFor();

    await give(page, cards.poor);
    const problem = page.locator("#element-problem");
    await problem.waitFor();
    await expect.poll(() => problem.innerText()).toMatch(poor);
    expect((await world.order(token))?.status).toBe("pending");
    expect(await violations(page)).toEqual([]);

    // Who has stolen a card must not learn that its owner has noticed.
    await give(page, cards.stolen);
    await expect.poll(() => problem.innerText()).toMatch(/declined|recusado/i);
    await expect.poll(() => problem.innerText()).not.toMatch(/stolen|roubad|furtad/i);

    await give(page, cards.asks);
    const dialog = page.frameLocator("dialog iframe");
    await dialog.getByRole("button", { name: "Fail authentication" }).click();
    await expect.poll(() => problem.innerText()).toMatch(bank);
    await world.fake.outbox.deliver();
    await button(page).click();
    await dialog.getByRole("button", { name: "Complete authentication" }).click();
    await page.waitForURL(`${world.origin}/thanks`);
    expect((await world.order(token))?.status).toBe("paid");
    await page.context().close();
  },
);

describe("without the provider's script", () => {
  test("without JavaScript the buyer goes to the provider's page at once", async () => {
    const { url } = await world.session();
    const page = await open({ javaScriptEnabled: false });
    await chooseCard(page, url);
    await page.waitForURL(/\/pay\/cs_test_/);
    await expect.poll(() => page.url()).toContain(world.provider);
    await page.context().close();
  });

  test("where it is blocked, the page says so and leads to the provider's page", async () => {
    const { url, token } = await world.session();
    const page = await open();
    await page.route("**/basil/stripe.js", (route) => route.abort());
    await chooseCard(page, url);
    await page.getByText("Não foi possível carregar o formulário").waitFor();
    await expect.poll(() => button(page).isVisible()).toBe(false);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("button", { name: "Pagar na página do provedor" }).dblclick();
    await page.waitForURL(/\/pay\/cs_test_/);
    await page.getByRole("button", { name: /^Pay / }).waitFor();
    const waiting = [...world.fake.books().intents.values()].at(-1);
    expect(waiting?.status).toBe("canceled");
    await page.locator("#card").fill("4242424242424242");
    await page.getByRole("button", { name: /^Pay / }).click();
    await page.waitForURL(`${world.origin}/thanks`);
    expect((await world.order(token))?.status).toBe("paid");
    // Chromium tells of the script that was blocked, each time that the page named it.
    expect(new Set(faults.splice(0))).toEqual(
      new Set(["Failed to load resource: net::ERR_FAILED"]),
    );
    await page.context().close();
  });

  test("the way to the provider's page is not called off while its address is awaited", async () => {
    const { url } = await world.session();
    const page = await open();
    await page.route("**/basil/stripe.js", (route) => route.abort());
    await chooseCard(page, url);
    const onward = page.getByRole("button", { name: "Pagar na página do provedor" });
    await onward.waitFor();
    await page.route(url, async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      const response = await route.fetch({ maxRedirects: 0 });
      // The page looks every 3 s whether it is still to show the same.
      await new Promise((done) => setTimeout(done, 4_000));
      return route.fulfill({ response });
    });
    await onward.click();
    await page.waitForURL(/\/pay\/cs_test_/);
    expect(new Set(faults.splice(0))).toEqual(
      new Set(["Failed to load resource: net::ERR_FAILED"]),
    );
    await page.context().close();
  });

  test("a script of another origin than the declared ones is blocked by the policy", async () => {
    const { url } = await world.session();
    const page = await open();
    await chooseCard(page, url);
    await button(page).waitFor();
    const other = `${world.origin.replace("localhost", "127.0.0.1")}/evil.js`;
    const outcome = await page.evaluate(
      ([address = ""]) =>
        new Promise<string>((done) => {
          const script = document.createElement("script");
          script.src = address;
          script.onload = () => done("ran");
          document.addEventListener("securitypolicyviolation", (event) =>
            done(`${event.effectiveDirective} ${event.blockedURI}`),
          );
          document.head.append(script);
        }),
      [other],
    );
    expect(outcome).toBe(`script-src-elem ${other}`);
    const inline = await page.evaluate(() => {
      const script = document.createElement("script");
      script.textContent = "window.ran = true";
      document.head.append(script);
      return Reflect.get(window, "ran") === true;
    });
    expect(inline).toBe(false);
    faults.splice(0);
    await page.context().close();
  });

  test("an element whose script is not where it may be from does not start", async () => {
    const wrong = `${world.provider}/basil/stripe.js`;
    await expect(openElementWorld({ element: { script: wrong } })).rejects.toMatchObject({
      code: "invalid_option",
      param: "gateways",
    });
  });
});

describe("what a buyer can change in the browser changes nothing", () => {
  test("a form with another amount, and the secret of another buyer's payment", async () => {
    const [mine, theirs] = [await world.session(), await world.session()];
    const [page, other] = [await open(), await open()];
    await chooseCard(other, theirs.url);
    await button(other).waitFor();
    const secret = await other.locator("#element-box").getAttribute("data-client_secret");

    await page.goto(mine.url);
    await page.evaluate(() => {
      for (const name of ["amount", "amount_total", "currency"]) {
        const field = document.createElement("input");
        Object.assign(field, { type: "hidden", name, value: "1" });
        document.querySelector("form")?.append(field);
      }
    });
    await page.locator("#email").fill("eva@example.com");
    await page.locator("#name").fill("Eva");
    await page.getByLabel("Cartão").check();
    await page.locator("button.primary[value=pay]").click();
    await button(page).waitFor();
    const own = await page.locator("#element-box").getAttribute("data-client_secret");
    expect(own).not.toBe(secret);
    const intent = [...world.fake.books().intents.values()].find(
      (one) => one["client_secret"] === own,
    );
    expect([intent?.amount, intent?.currency]).toEqual([9_800, "brl"]);

    // Eva pays the other buyer's payment with her card: hers stays unpaid.
    await page.route("**/basil/confirm", async (route) => {
      const body = new URLSearchParams(route.request().postData() ?? "");
      body.set("client_secret", secret ?? "");
      await route.continue({ postData: body.toString() });
    });
    await give(page, cards.good);
    await page.getByText("o pagamento ainda não foi confirmado").waitFor();
    await world.fake.outbox.deliver();
    expect((await world.order(mine.token))?.status).toBe("pending");
    expect((await world.order(theirs.token))?.status).toBe("paid");
    for (const one of [page, other]) await one.context().close();
  });
});

test("a trial keeps the card by the element, and nothing is charged", async () => {
  const own = await openElementWorld({ trialDays: 14 });
  const { url, token } = await own.session();
  const page = await open();
  await chooseCard(page, url);
  await button(page).waitFor();
  await expect.poll(() => button(page).innerText()).toBe("Começar o teste grátis");
  await frame(page).locator("#card").fill(cards.good);
  await button(page).click();
  await page.waitForURL(`${own.origin}/thanks`);
  expect((await own.order(token))?.status).toBe("paid");
  const { charges, setups } = own.fake.books();
  expect([charges.size, setups.size]).toEqual([0, 1]);
  const { data } = await own.storefront.subscriptions.list({
    store_id: own.store.id,
    livemode: false,
  });
  expect(data[0]?.saved_method?.label).toBe("Visa ···· 4242");
  await page.context().close();
  await own.close();
});

describe.each(["light", "dark"] as const)("in the %s scheme", (colorScheme) => {
  test.each([
    ["pt-BR", 360],
    ["pt-BR", 1280],
    ["en-US", 360],
    ["en-US", 1280],
  ])("the element has no accessibility fault in %s at %i pixels", async (locale, width) => {
    const { url } = await world.session();
    const page = await open({ colorScheme, locale, viewport: { width, height: 800 } });
    await chooseCard(page, url);
    await button(page).waitFor();
    expect(await violations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    const { SHOTS: shots } = process.env;
    if (shots)
      await page.screenshot({ path: `${shots}/element-${colorScheme}-${locale}-${width}.png` });
    await page.context().close();
  });
});

test("without the provider's element the page weighs no more than 30 KB", async () => {
  const { url } = await world.session();
  const first = await open();
  await chooseCard(first, url);
  await button(first).waitFor();

  const page = await open();
  const sizes: number[] = [];
  page.on("response", async (response) => {
    if (new URL(response.url()).origin !== world.origin) return;
    sizes.push((await response.body()).length);
  });
  await page.goto(url);
  await button(page).waitFor();
  await page.waitForLoadState("networkidle");
  expect(sizes.length).toBeGreaterThan(3);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeLessThan(30_720);
  for (const one of [first, page]) await one.context().close();
});

test.each([true, false])(
  "who has had the trial goes on without it, and sees the price first (JavaScript: %s)",
  async (javaScriptEnabled) => {
    const own = await openElementWorld({ trialDays: 14, flow: "checkout" });
    const first = await own.session();
    const customer = { name: "Ana Souza", email: "ana@example.com" };
    await own.storefront.checkout.submit(first.token, {
      payment_method_id: own.card.id,
      customer,
      consent: "14 dias grátis",
    });

    const { url, token } = await own.session();
    const page = await open({ javaScriptEnabled, colorScheme: "dark" });
    await chooseCard(page, url);
    await page.getByText("Você já usou o teste grátis").waitFor();
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    await page.getByRole("button", { name: "Continuar sem o teste" }).click();
    await page.getByText("você paga o primeiro período agora").waitFor();
    await expect.poll(() => page.locator("#name").inputValue()).toBe("Ana Souza");
    expect(await own.order(token)).toBeNull();
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);

    await page.getByRole("button", { name: /^Pagar R\$\s98,00/ }).click();
    await page.waitForURL(/\/pay\/cs_test_/);
    const view = await own.storefront.checkout.view(token);
    expect(view.recurring?.trial_days).toBeUndefined();
    expect(view.order?.amount_total).toBe(9_800);
    await page.context().close();
    await own.close();
  },
);

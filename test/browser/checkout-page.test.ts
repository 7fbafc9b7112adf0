import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { violations } from "../support/axe.ts";
import { pixText } from "../support/checkout-shop.ts";
import { checkoutStates } from "../support/checkout-states.ts";
import { type CheckoutWorld, openCheckoutWorld } from "../support/checkout-world.ts";
import { launchChromium } from "../support/chromium.ts";
import { keepFaults, refusals } from "../support/page-faults.ts";

let browser: Browser;
let world: CheckoutWorld;
const faults: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  world = await openCheckoutWorld({ checkoutPage: { brandColor: "#0f6b4f" } });
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});
afterEach(() => {
  expect(faults.splice(0)).toEqual([]);
});

/** Opens a page, and keeps what the browser complains of: errors and breaches of the policy. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    locale: "pt-BR",
    viewport: { width: 360, height: 740 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  keepFaults(page, faults, refusals);
  return page;
}

async function fillIn(page: Page, method: string): Promise<void> {
  await page.getByLabel("E-mail").fill("ana@example.com");
  await page.getByLabel("Nome completo").fill("Ana Souza");
  await page.getByLabel(method).check();
  await page.getByRole("button", { name: /^Pagar/ }).click();
}

describe("a purchase at the width of a phone", () => {
  test("with JavaScript: the code is copied, counts down, and the page learns of the payment", async () => {
    const { shop } = world;
    const { url, token } = await shop.session();
    const page = await open({ permissions: ["clipboard-read", "clipboard-write"] });
    await page.goto(url);
    await fillIn(page, "Pix");

    await page.getByText(/Tempo restante: (29|30):\d\d/).waitFor();
    await page.getByRole("button", { name: "Copiar o código" }).click();
    await page.getByText("Copiado").waitFor();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(pixText);

    await shop.tell(token, "succeeded");
    await shop.storefront.checkout.resume(token); // as the bank's message would
    await page.waitForURL(/\/thanks\?session=cs_/);
    await page.context().close();
  });

  test("the time to pay is told in the buyer's zone, and counted down in its last minutes", async () => {
    const { shop, close } = await openCheckoutWorld();
    const { url, token } = await shop.session();
    const { session } = await shop.storefront.checkout.view(token);
    // What the steps before have taken is no part of the time that is left.
    let added = 0;
    const leave = (ms: number): void => {
      const by = Date.parse(session.expires_at) - Date.now() - added - ms;
      shop.advance(by);
      added += by;
    };
    const page = await open({ timezoneId: "Asia/Tokyo" });
    await page.goto(url);
    await page.getByText(/Você pode pagar até .+Japão/).waitFor();
    await expect.poll(() => page.getByText("Tempo restante").isVisible()).toBe(false);

    leave(9.5 * 60_000);
    await page.reload();
    await page.getByText(/Tempo restante: 09:[0-2]\d/).waitFor();
    leave(20_000);
    await page.reload();
    await page.getByText(/Tempo restante: 00:[01]\d/).waitFor();
    await page.getByText("Este checkout expirou").waitFor();
    await page.context().close();
    await close();
  });

  test("without JavaScript: the page asks again by itself", async () => {
    const { shop } = world;
    const { url, token } = await shop.session();
    const page = await open({ javaScriptEnabled: false });
    await page.goto(url);
    await fillIn(page, "Pix");
    await page.getByText("Mostrar o QR Code").click();
    await page.getByRole("img", { name: "QR Code do pagamento" }).waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Copiar o código" }).isVisible())
      .toBe(false);
    await expect.poll(() => page.getByLabel("Pix copia e cola").inputValue()).toBe(pixText);

    await shop.tell(token, "succeeded");
    await shop.storefront.checkout.resume(token);
    await page.waitForURL(/\/thanks\?session=cs_/);
    await page.context().close();
  });

  test.each([true, false])(
    "away to the provider's origin and back, and on to the store only when paid (JavaScript: %s)",
    async (javaScriptEnabled) => {
      const { shop, provider } = world;
      const { url, token } = await shop.session();
      const page = await open({ javaScriptEnabled });
      await page.goto(url);
      await fillIn(page, "Cartão de crédito");
      await page.waitForURL(`${provider}/pay?**`);

      await page.getByRole("link", { name: "Back to the store" }).click();
      await page.getByRole("heading", { name: "Conclua seu pagamento" }).waitFor();
      await page.getByRole("link", { name: "Continuar para o pagamento" }).click();
      await page.waitForURL(`${provider}/pay?**`);

      await shop.tell(token, "succeeded");
      shop.advance(5_000);
      await page.getByRole("link", { name: "Back to the store" }).click();
      await page.waitForURL(/\/thanks\?session=cs_/);
      await page.context().close();
    },
  );

  test.each(["pt-BR", "en-US"])(
    "the code's page of a test order in %s: what copies it is seen first, the picture is folded",
    async (locale) => {
      const { shop } = world;
      const { url, token } = await shop.session({ livemode: false });
      const pix = shop.methods.pix.id;
      const customer = { name: "Ana Souza", email: "ana@example.com" };
      await shop.storefront.checkout.submit(token, { payment_method_id: pix, customer });
      const page = await open({ locale });
      await page.goto(url);
      const copy = page.locator("[data-copy]");
      await copy.waitFor();
      const box = await copy.boundingBox();
      expect((box?.y ?? 740) + (box?.height ?? 0)).toBeLessThan(740);
      const steps = (await page.locator(".steps").boundingBox())?.y ?? 0;
      const fold = page.locator(".qr-fold summary");
      const folded = (await fold.boundingBox())?.y ?? 0;
      expect([(box?.y ?? 0) < steps, steps < folded]).toEqual([true, true]);

      const picture = page.locator(".qr");
      await expect.poll(() => picture.isVisible()).toBe(false);
      await fold.focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => picture.isVisible()).toBe(true);

      // A desk is what the phone scans from.
      await page.reload();
      await page.setViewportSize({ width: 1280, height: 800 });
      await expect.poll(() => picture.isVisible()).toBe(true);
      await expect.poll(() => fold.isVisible()).toBe(false);
      await page.context().close();
    },
  );

  test("by the keyboard alone", async () => {
    const { shop } = world;
    const page = await open({ viewport: { width: 1280, height: 800 } });
    await page.goto((await shop.session()).url);
    const focused = () => page.evaluate(() => document.activeElement?.id ?? "");
    const tabTo = async (id: string) => {
      for (let steps = 0; steps < 8 && (await focused()) !== id; steps += 1)
        await page.keyboard.press("Tab");
      expect(await focused()).toBe(id);
    };

    await tabTo("email");
    await page.keyboard.type("ana@");
    await tabTo("name");
    await page.keyboard.type("Ana Souza");
    await page.keyboard.press("Enter");
    await page.getByText("Corrija o seguinte").waitFor();

    // The wrong field has the focus at once, and what was typed is still there.
    expect(await focused()).toBe("email");
    await expect.poll(() => page.locator("#name").inputValue()).toBe("Ana Souza");
    await page.keyboard.type("ana@example.com");
    await tabTo("method-0");
    await page.keyboard.press("ArrowDown");
    const chosen = await page.evaluate(
      () => document.activeElement?.closest("label")?.textContent ?? "",
    );
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/bank|pay/);
    expect(chosen.trim()).not.toBe("");
    await page.locator("h1").first().waitFor();
    await page.context().close();
  });
});

test("a field is judged before the form is sent, so that no error enters the history", async () => {
  const { shop } = world;
  const page = await open({ colorScheme: "dark" });
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  await page.goto((await shop.session()).url);
  const before = await page.evaluate(() => history.length);
  await page.getByRole("radio", { name: "Boleto" }).check();
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await page.getByText("Corrija o seguinte").waitFor();
  await expect.poll(() => page.locator(".error").allInnerTexts()).toHaveLength(3);
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("email");
  expect(await violations(page)).toEqual([]);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  // A field is judged again when it is left.
  await page.locator("#email").fill("ana@example.com");
  await page.locator("#name").fill("Ana Souza");
  await page.locator("#tax_id").fill("529.982.247-26");
  await page.locator("#tax_id").blur();
  await expect.poll(() => page.locator(".error").allInnerTexts()).toHaveLength(1);
  await page.getByText("Este CPF não existe").last().waitFor();
  await page.locator("#tax_id").fill("529.982.247-25");
  await page.locator("#tax_id").blur();
  await expect.poll(() => page.locator(".error").count()).toBe(0);
  expect([sent, await page.evaluate(() => history.length)]).toEqual([[], before]);

  await page.getByRole("button", { name: /^Pagar/ }).click();
  await page.getByText("Pague o boleto").waitFor();
  expect(sent).toHaveLength(1);
  await page.context().close();
});

test.each(["pt-BR", "en-US"])(
  "the end in %s: number, goods and what happens next, without JavaScript, on one page of paper",
  async (locale) => {
    const whatNext = { pt: "Enviamos em dois dias úteis.", en: "We ship within two days." };
    const own = await openCheckoutWorld({ checkoutPage: { endPage: true, whatNext } });
    const { url, token } = await own.shop.session({ coupon: "BEMVINDO" });
    const customer = { name: "Ana Souza", email: "ana@example.com" };
    const pix = own.shop.methods.pix.id;
    await own.shop.storefront.checkout.submit(token, { payment_method_id: pix, customer });
    await own.shop.tell(token, "succeeded");
    await own.shop.storefront.checkout.resume(token);

    const page = await open({ locale, javaScriptEnabled: false, colorScheme: "dark" });
    await page.goto(`${url}?return`);
    await page.getByText(locale === "en-US" ? "We ship" : "Enviamos").waitFor();
    await expect.poll(() => page.getByText("Café da Montanha, 500 g").isVisible()).toBe(true);
    const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
    await page.getByRole("link", { name: /Armazém Vitrine/ }).click();
    await page.waitForURL(/\/thanks\?session=cs_/);
    await page.context().close();
    await own.close();
  },
);

test.each([true, false])(
  "a coupon is typed, refused with its reason, applied and paid with (JavaScript: %s)",
  async (javaScriptEnabled) => {
    const own = await openCheckoutWorld({ checkoutPage: { coupons: true } });
    const { url, token } = await own.shop.session();
    const page = await open({ javaScriptEnabled, colorScheme: "dark" });
    await page.goto(url);
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByLabel("Nome completo").fill("Ana Souza");
    await page.getByRole("radio", { name: "Boleto" }).check();
    await page.getByLabel("Cupom").fill("NADA");
    await page.getByRole("button", { name: "Aplicar" }).click();
    await page.locator("#coupon-error").waitFor();
    await expect
      .poll(() => page.locator("#coupon-error").innerText())
      .toContain("Este cupom não existe.");
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("coupon");
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);

    await page.getByLabel("Cupom").fill("bemvindo");
    await page.keyboard.press("Enter");
    await page.getByText("O cupom foi aplicado").waitFor();
    await expect.poll(() => page.getByLabel("Nome completo").inputValue()).toBe("Ana Souza");
    await expect.poll(() => page.getByRole("radio", { name: "Boleto" }).isChecked()).toBe(true);
    if (javaScriptEnabled) expect(await violations(page)).toEqual([]);

    // Enter in another field pays: the button of the coupon stands before the one that pays.
    await page.getByLabel("CPF ou CNPJ").fill("529.982.247-25");
    await page.keyboard.press("Enter");
    await page.getByText("Pague o boleto").waitFor();
    const { order } = await own.shop.storefront.checkout.view(token);
    expect([order?.coupon_code, order?.amount_total]).toEqual(["BEMVINDO", 12_420]);
    await page.context().close();
    await own.close();
  },
);

test("the only requests to another host are the pictures, which are told no address", async () => {
  const { shop, provider, foreign } = world;
  const page = await open({ viewport: { width: 1280, height: 800 } });
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  const before = foreign.length;
  await page.goto((await shop.session()).url);
  await page.locator(".lines img").first().waitFor();
  await expect.poll(() => foreign.length - before).toBe(2);
  expect([...hosts].sort()).toEqual([shop.origin, provider].sort());
  for (const { headers, url } of foreign.slice(before))
    expect([url?.endsWith(".svg"), headers.referer]).toEqual([true, undefined]);
  await page.context().close();
});

test("another site can neither frame the page nor send its form", async () => {
  const { shop } = world;
  const { url, token } = await shop.session();
  const page = await open();
  await page.goto(`${world.provider}/`);
  await page.evaluate((address) => {
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: address });
    const button = document.createElement("button");
    Object.assign(button, { name: "action", value: "pay" });
    form.append(button);
    document.body.append(form);
    button.click();
  }, url);
  await page.getByText("Este formulário não foi enviado").waitFor();
  expect((await shop.storefront.checkout.view(token)).order).toBeNull();
  await page.context().close();
});

describe.each(["light", "dark"] as const)("in the %s scheme", (colorScheme) => {
  test("no state has an accessibility fault or is wider than 360 pixels", async () => {
    const { shop, close } = await openCheckoutWorld({
      checkoutPage: {
        brandColor: "#ffd400",
        coupons: true,
        whatNext: { pt: "Enviamos em dois dias úteis." },
      },
    });
    const page = await open({ colorScheme, reducedMotion: "reduce" });
    for (const [name, reach] of Object.entries(checkoutStates)) {
      await reach(shop, page);
      expect([name, await violations(page)]).toEqual([name, []]);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([name, width]).toEqual([name, 360]);
    }
    await page.context().close();
    await close();
  });
});

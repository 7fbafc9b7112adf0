// Draws the checkout page in eight states and both colour schemes, for a person to judge.
// Two of the pictures are those of docs/checkout-page.md.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkoutStates } from "../support/checkout-states.ts";
import { openCheckoutWorld } from "../support/checkout-world.ts";
import { launchChromium } from "../support/chromium.ts";

const root = resolve(import.meta.dirname, "../..");
const folder = join(root, ".data/screenshots");
const documents = join(root, "docs/images");

const shown = [
  "form",
  "faults",
  "declined",
  "qr_code",
  "voucher",
  "redirect",
  "paid",
  "sold_out",
] as const;
const sizes = {
  phone: { width: 390, height: 844 },
  desk: { width: 1280, height: 800 },
} as const;

/** The pictures of the document, by their names in the folder. */
const inDocuments: Readonly<Record<string, string>> = {
  "form-desk-light": "checkout-form.png",
  "qr_code-phone-dark": "checkout-qr-code.png",
};

const browser = await launchChromium();
mkdirSync(folder, { recursive: true });
mkdirSync(documents, { recursive: true });

for (const [size, viewport] of Object.entries(sizes))
  for (const colorScheme of ["light", "dark"] as const) {
    const { shop, close } = await openCheckoutWorld({ checkoutPage: { brandColor: "#0f6b4f" } });
    const page = await browser.newPage({
      ignoreHTTPSErrors: true,
      locale: "pt-BR",
      viewport,
      colorScheme,
      reducedMotion: "reduce",
    });
    for (const name of shown) {
      await checkoutStates[name]?.(shop, page);
      await page.waitForLoadState("networkidle");
      const file = `${name}-${size}-${colorScheme}`;
      const path = join(folder, `${file}.png`);
      const inDocument = inDocuments[file];
      await page.screenshot({ path, fullPage: true });
      if (inDocument) await page.screenshot({ path: join(documents, inDocument), fullPage: true });
      console.log(path);
    }
    await page.close();
    await close();
  }

await browser.close();

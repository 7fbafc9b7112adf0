// This file runs in the browser; script.ts bundles it at start-up. It knows the publishable key and
// calls /v1 like any other storefront.
import { createClient } from "vitrine/client";
import { startCart } from "./browser/cart-panel.ts";
import { startCatalog } from "./browser/catalog.ts";
import { startOrderPage } from "./browser/order.ts";
import { startProductPage } from "./browser/product.ts";
import { startReleasedPage } from "./browser/released.ts";

const cart = document.getElementById("cart");
const shown = document.querySelector<HTMLElement>("[data-page]")?.dataset["page"];

if (cart) {
  const api = createClient({ baseUrl: "/v1", key: cart.dataset["key"] ?? "" });
  startCart(api);
  if (shown === "shop") startCatalog(api);
  if (shown === "product") void startProductPage(api);
  if (shown === "order") void startOrderPage(api);
}
if (shown === "released") startReleasedPage();

import { toNext } from "vitrine/next";
import { openDashboard } from "../../../dashboard.ts";
import { storefront } from "../../../shop.ts";

let dashboard: ReturnType<typeof openDashboard> | undefined;

async function opened() {
  const shop = await storefront();
  dashboard ??= openDashboard(shop);
  return dashboard;
}

export const { GET, HEAD, POST } = toNext(opened, { ip: "shared" });

import { openShop } from "../../../shop.ts";

/** Serves the checkout page, with its style sheet and its script. */
const pay = async (request: Request): Promise<Response> =>
  (await openShop()).checkoutPage.handler(request);

export { pay as GET, pay as POST };

import { openShop } from "../../../shop.ts";

/** The sandbox's hosted page, in test mode. */
const pay = async (request: Request): Promise<Response> =>
  (await openShop()).sandboxPage.handler(request);

export { pay as GET, pay as POST };

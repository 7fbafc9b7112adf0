import type { Storage } from "../../../src/storage/types.ts";
import { sqlAccess } from "./access.ts";
import { sqlCatalog } from "./catalog.ts";
import { sqlCheckout } from "./checkout.ts";
import { sqlConsumers } from "./consumers.ts";
import type { SqlEngine } from "./engine.ts";
import { sqlLimits } from "./limits.ts";
import { sqlOrders } from "./orders.ts";
import { sqlPrivacy } from "./privacy.ts";
import { purge } from "./purge.ts";
import { sqlWebhooks } from "./webhooks.ts";

/** The stores on one engine. */
export const sqlStorage = (
  engine: SqlEngine,
  rest: Pick<Storage, "migrate" | "close" | "ephemeral" | "dataVersion" | "clock" | "within">,
): Storage => ({
  access: sqlAccess(engine),
  catalog: sqlCatalog(engine),
  checkout: sqlCheckout(engine),
  orders: sqlOrders(engine),
  webhooks: sqlWebhooks(engine),
  limits: sqlLimits(engine),
  consumers: sqlConsumers(engine),
  privacy: sqlPrivacy(engine),
  purge: (now, limit) => engine.write(() => purge(engine, now, limit)),
  ...rest,
});

import type { AccessStore } from "#core/storage/types.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlAlerts } from "./alerts.ts";
import { prepareFindAccess } from "./find-access.ts";
import { sqlKeys } from "./keys.ts";
import { sqlStores } from "./stores.ts";

export const sqlAccess = (engine: SqlEngine): AccessStore => ({
  findAccess: prepareFindAccess(engine),
  ...sqlStores(engine),
  ...sqlKeys(engine),
  ...sqlAlerts(engine),
});

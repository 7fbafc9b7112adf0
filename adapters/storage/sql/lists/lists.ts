import type { ListingStore } from "#core/storage/reads/listing-store.ts";
import type { SqlEngine } from "../engine/engine.ts";
import { sqlAttemptCounts } from "./attempt-counts.ts";
import { sqlCouponUses } from "./coupon-uses.ts";
import { sqlEventLists } from "./events.ts";
import { sqlMoneyLists } from "./money.ts";
import { sqlSessionLists } from "./sessions.ts";
import { sqlStockLists } from "./stock.ts";

/** Reads the lists of a back office. */
export const sqlLists = (engine: SqlEngine): ListingStore => ({
  ...sqlMoneyLists(engine),
  ...sqlSessionLists(engine),
  ...sqlCouponUses(engine),
  ...sqlStockLists(engine),
  ...sqlEventLists(engine),
  ...sqlAttemptCounts(engine),
});

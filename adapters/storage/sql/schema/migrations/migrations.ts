import type { Migration } from "../migration.ts";
import { migration1 } from "./0001-0010/0001-first-schema.ts";
import { migration2 } from "./0001-0010/0002-search-index.ts";
import { migration3 } from "./0001-0010/0003-delivery-queue.ts";
import { migration4 } from "./0001-0010/0004-payments.ts";
import { migration5 } from "./0001-0010/0005-refunds.ts";
import { migration6 } from "./0001-0010/0006-holds.ts";
import { migration7 } from "./0001-0010/0007-privacy.ts";
import { migration8 } from "./0001-0010/0008-coupons.ts";
import { migration9 } from "./0001-0010/0009-session-days.ts";
import { migration10 } from "./0001-0010/0010-order-search.ts";
import { migration11 } from "./0011-0020/0011-numbers-by-the-hour.ts";
import { migration12 } from "./0011-0020/0012-gauges.ts";
import { migration13 } from "./0011-0020/0013-lists.ts";
import { migration14 } from "./0011-0020/0014-dashboard.ts";
import { migration15 } from "./0011-0020/0015-audit-log.ts";
import { migration16 } from "./0011-0020/0016-all-numbers-by-the-hour.ts";
import { migration17 } from "./0011-0020/0017-request-log.ts";
import { migration18 } from "./0011-0020/0018-next-delivery.ts";
import { migration19 } from "./0011-0020/0019-key-uses-and-delivery-states.ts";
import { migration20 } from "./0011-0020/0020-makers-of-links.ts";
import { migration21 } from "./0021-0030/0021-compatible.ts";
import { migration22 } from "./0021-0030/0022-test-clocks.ts";
import { migration23 } from "./0021-0030/0023-renewals.ts";
import { migration24 } from "./0021-0030/0024-product-orders.ts";
import { migration25 } from "./0021-0030/0025-search-words.ts";
import { migration26 } from "./0021-0030/0026-product-groups.ts";
import { migration27 } from "./0021-0030/0027-key-pools.ts";
import { migration28 } from "./0021-0030/0028-dead-rows.ts";
import { migration29 } from "./0021-0030/0029-moved-money.ts";
import { migration30 } from "./0021-0030/0030-group-places.ts";
import { migration31 } from "./0031-0040/0031-own-product-orders.ts";
import { migration32 } from "./0031-0040/0032-counted-sales.ts";
import { migration33 } from "./0031-0040/0033-product-facets.ts";
import { migration34 } from "./0031-0040/0034-customers-by-spent.ts";

/**
 * Migrations only go forward. A released one is never edited, because every
 * database that it ran on keeps its checksum.
 */
export const migrations: readonly Migration[] = [
  migration1,
  migration2,
  migration3,
  migration4,
  migration5,
  migration6,
  migration7,
  migration8,
  migration9,
  migration10,
  migration11,
  migration12,
  migration13,
  migration14,
  migration15,
  migration16,
  migration17,
  migration18,
  migration19,
  migration20,
  migration21,
  migration22,
  migration23,
  migration24,
  migration25,
  migration26,
  migration27,
  migration28,
  migration29,
  migration30,
  migration31,
  migration32,
  migration33,
  migration34,
];

import type { Edit } from "./edit.ts";
import { accessEdits } from "./edits/access.ts";
import { exportEdits } from "./edits/exports.ts";
import { httpEdits } from "./edits/http.ts";
import { pageEdits } from "./edits/pages.ts";
import { paymentEdits } from "./edits/payments.ts";
import { ruleEdits } from "./edits/rules.ts";
import { sqlEdits } from "./edits/sql.ts";
import { webhookEdits } from "./edits/webhooks.ts";

export const allEdits: readonly Edit[] = [
  ...ruleEdits,
  ...httpEdits,
  ...accessEdits,
  ...exportEdits,
  ...webhookEdits,
  ...paymentEdits,
  ...sqlEdits,
  ...pageEdits,
];

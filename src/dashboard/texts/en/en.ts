import { alertsEnglish } from "./alerts-en.ts";
import { catalogEnglish } from "./catalog-en.ts";
import { developersEnglish } from "./developers-en.ts";
import { faultsEnglish } from "./faults-en.ts";
import { frameEnglish } from "./frame-en.ts";
import { importEnglish } from "./import-en.ts";
import { logsEnglish } from "./logs-en.ts";
import { overviewEnglish } from "./overview-en.ts";
import { rightsEnglish } from "./rights-en.ts";
import { salesEnglish } from "./sales-en.ts";
import { fieldsEnglish, sentencesEnglish } from "./sentences-en.ts";
import { storeEnglish } from "./store-en.ts";
import { subscriptionsEnglish } from "./subscriptions-en.ts";

export const english = {
  ...frameEnglish,
  ...faultsEnglish,
  ...alertsEnglish,
  ...catalogEnglish,
  ...developersEnglish,
  ...importEnglish,
  ...logsEnglish,
  ...overviewEnglish,
  ...rightsEnglish,
  ...salesEnglish,
  ...sentencesEnglish,
  ...fieldsEnglish,
  ...storeEnglish,
  ...subscriptionsEnglish,
};

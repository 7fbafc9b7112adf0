import { alertsPortuguese } from "./alerts-pt.ts";
import { catalogPortuguese } from "./catalog-pt.ts";
import { developersPortuguese } from "./developers-pt.ts";
import { faultsPortuguese } from "./faults-pt.ts";
import { framePortuguese } from "./frame-pt.ts";
import { importPortuguese } from "./import-pt.ts";
import { logsPortuguese } from "./logs-pt.ts";
import { overviewPortuguese } from "./overview-pt.ts";
import { rightsPortuguese } from "./rights-pt.ts";
import { salesPortuguese } from "./sales-pt.ts";
import { fieldsPortuguese, sentencesPortuguese } from "./sentences-pt.ts";
import { storePortuguese } from "./store-pt.ts";
import { subscriptionsPortuguese } from "./subscriptions-pt.ts";

export const portuguese = {
  ...framePortuguese,
  ...faultsPortuguese,
  ...alertsPortuguese,
  ...catalogPortuguese,
  ...developersPortuguese,
  ...importPortuguese,
  ...logsPortuguese,
  ...overviewPortuguese,
  ...rightsPortuguese,
  ...salesPortuguese,
  ...sentencesPortuguese,
  ...fieldsPortuguese,
  ...storePortuguese,
  ...subscriptionsPortuguese,
};

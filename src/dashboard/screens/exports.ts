import type { Html } from "../../contract/html.ts";
import type { OwnerExport } from "../../owner/exports/open-export.ts";
import { inStore } from "../addresses.ts";
import { actionLink } from "../frame/elements.ts";
import type { Filters } from "../lists/filters.ts";
import type { Download, StoreVisit } from "../screen.ts";

/** People open the file in Excel, which recognizes UTF-8 only by the byte order mark. */
export const csvFormat = { format: "csv", bom: true } as const;

/** Makes the file of a list, at an address below the path of the list. */
export const csvDownload = (
  list: string,
  open: (visit: StoreVisit) => Promise<OwnerExport>,
): Download => ({ path: `${list}/export.csv`, action: "exports", open });

/** Links to the file of a list with the same filters. Gives null to one who may not export. */
export const csvLink = (visit: StoreVisit, list: string, filters: Filters = {}): Html | null =>
  actionLink(visit, "exports", {
    label: "export_csv",
    address: inStore(visit, [list, "export.csv"], filters),
    kind: "small",
  });

import { chartsStyle } from "./style-charts.ts";
import { frameStyle } from "./style-frame.ts";
import { partsStyle } from "./style-parts.ts";
import { printStyle } from "./style-print.ts";
import { recordStyle } from "./style-records.ts";
import { searchStyle } from "./style-search.ts";
import { tableStyle } from "./style-tables.ts";

/** The style sheet of the dashboard. Its values come from the design tokens. */
export const style = [
  frameStyle,
  partsStyle,
  tableStyle,
  recordStyle,
  chartsStyle,
  searchStyle,
  printStyle,
].join("\n");

import { chartsStyle } from "./style-charts.ts";
import { frameStyle } from "./style-frame.ts";
import { partsStyle } from "./style-parts.ts";
import { printStyle } from "./style-print.ts";
import { recordStyle } from "./style-records.ts";
import { searchStyle } from "./style-search.ts";
import { tableStyle } from "./style-tables.ts";

/** This is the style sheet of the dashboard, which draws from the tokens. */
export const style = [
  frameStyle,
  partsStyle,
  tableStyle,
  recordStyle,
  chartsStyle,
  searchStyle,
  printStyle,
].join("\n");

import { chartsStyle } from "./style-charts.ts";
import { frameStyle } from "./style-frame.ts";
import { partsStyle } from "./style-parts.ts";

/** The style sheet of the dashboard, which draws from the tokens. */
export const style = `${frameStyle}\n${partsStyle}\n${chartsStyle}`;

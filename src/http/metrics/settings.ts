import type { ReadGauges } from "../observe/observer.ts";
import type { WireRequest } from "../wire.ts";
import type { Collector } from "./collector.ts";

/** What `GET {basePath}/metrics` needs. */
export interface MetricsSettings {
  readonly collector: Collector;
  readonly readGauges: ReadGauges;
  authorize(request: WireRequest): boolean | Promise<boolean>;
}

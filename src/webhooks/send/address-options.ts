import { invalidOption, type OptionNames } from "../../input/option-error.ts";
import type { OptionKind } from "../../input/option-kinds.ts";
import { type AddressOptions, originOf } from "./address-rules.ts";

export const addressKinds: OptionNames<AddressOptions, OptionKind> = {
  allowTargets: "list",
  allowNat64: "boolean",
};

/** Refuses an entry of `allowTargets` that opens nothing. */
export function requireOrigins({ allowTargets = [] }: AddressOptions): void {
  for (const target of allowTargets)
    if (typeof target !== "string" || originOf(target) === null)
      invalidOption("allowTargets", `takes origins such as http://127.0.0.1:4242, not ${target}`);
}

import { invalidOption } from "#core/input/option-error.ts";

/** Switches Pix Automático on: with the first payment buyers authorize those of later periods. */
export interface AutomaticOptions {
  /**
   * The number of days before a period at which its charge is made: 2 to 10, as the Banco Central
   * demands. Default 4, which leaves time for nights and for a bank that does not answer.
   */
  readonly chargeAheadDays?: number | undefined;
  /**
   * What follows when a charge is not paid on its day. With `PERMITE_3R_7D`, the default, the bank
   * tries again, up to three times within seven days. With `NAO_PERMITE` the buyer is asked to pay.
   */
  readonly retries?: "PERMITE_3R_7D" | "NAO_PERMITE" | undefined;
  /**
   * The amount that the buyer authorizes. `fixed`, the default, is the price of today: after a
   * change of price the buyer pays by a link, which authorizes the new one. `variable` is any
   * amount up to a limit that the buyer sets at their bank, no lower than the price of today.
   */
  readonly amounts?: "fixed" | "variable" | undefined;
}

export type Automatic = { readonly [Name in keyof AutomaticOptions]-?: Known<Name> };
type Known<Name extends keyof AutomaticOptions> = NonNullable<AutomaticOptions[Name]>;

/** The days before a period at which its charge is made: the Banco Central's rules, and ours. */
export const aheadDays = { least: 2, most: 10, usual: 4 } as const;

/** Reads the options, and gives null without any. Throws `invalid_option` for a wrong one. */
export function readAutomatic(options: AutomaticOptions | undefined): Automatic | null {
  if (options === undefined) return null;

  const { least, most, usual } = aheadDays;
  const {
    chargeAheadDays = usual,
    retries = "PERMITE_3R_7D",
    amounts = "fixed",
    ...others
  } = options;
  const refuse = (rule: string) => invalidOption("automatic", rule);
  if (!Number.isInteger(chargeAheadDays) || chargeAheadDays < least || chargeAheadDays > most)
    refuse(`must give chargeAheadDays as a whole number from ${least} to ${most}`);
  if (retries !== "PERMITE_3R_7D" && retries !== "NAO_PERMITE")
    refuse("must give retries as PERMITE_3R_7D or NAO_PERMITE");
  if (amounts !== "fixed" && amounts !== "variable")
    refuse("must give amounts as fixed or variable");
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) refuse(`has no ${unknown}`);
  return { chargeAheadDays, retries, amounts };
}

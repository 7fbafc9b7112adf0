import { invalidOption } from "../../input/option-error.ts";

export interface WholeRule {
  readonly name: string;
  readonly fallback: number;
  readonly most: number;
}

export function readWhole(value: number | undefined, { name, fallback, most }: WholeRule): number {
  if (value === undefined) return fallback;
  if (!isWhole(value, 0, most)) invalidOption(name, `must be a whole number from 0 to ${most}`);
  return value;
}

export const isWhole = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most;

import {
  type Download,
  type DownloadResult,
  decideDownload,
} from "../rules/entitlements/download.ts";
import {
  type Activation,
  type ActivationResult,
  type Deactivation,
  type DeactivationResult,
  decideActivation,
  decideDeactivation,
} from "../rules/entitlements/license.ts";
import { decideRegrant, type Regrant, type RegrantResult } from "../rules/entitlements/regrant.ts";
import type { StepStore } from "../storage/step-store.ts";
import { history, runStep } from "./run-step.ts";

/** Activates a license key. The lock on its order keeps calls at the same time within the limit. */
export const activateLicense = (steps: StepStore, command: Activation): Promise<ActivationResult> =>
  runStep(steps, history("activateLicense", command), command, decideActivation);

/** Ends an activation of a license key. */
export const deactivateLicense = (
  steps: StepStore,
  command: Deactivation,
): Promise<DeactivationResult> =>
  runStep(steps, history("deactivateLicense", command), command, decideDeactivation);

/** Gives a buyer again what was taken back. */
export const regrant = (steps: StepStore, command: Regrant): Promise<RegrantResult> =>
  runStep(steps, { ...history("regrant", command), fills: true }, command, decideRegrant);

/** Counts a download of a file. Calls at the same time never pass the limit. */
export const countDownload = (steps: StepStore, command: Download): Promise<DownloadResult> =>
  runStep(steps, history("countDownload", command), command, decideDownload);

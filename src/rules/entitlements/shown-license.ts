import type { ActivationRecord, EntitlementRecord } from "./entitlement-record.ts";

/** Gives how many activations a key may have: each piece bought brings its own. Null is no limit. */
export const activationLimit = ({ content, quantity }: EntitlementRecord): number | null =>
  content.type === "license_key" && content.activations ? content.activations * quantity : null;

export const activationsOf = ({
  activations = [],
}: EntitlementRecord): readonly ActivationRecord[] => activations;

import type { License } from "../entitlement-schema.ts";
import type {
  LicenseActivationInput,
  LicenseDeactivationInput,
  LicenseRequestInput,
} from "../request-bodies.ts";
import { paid_at, product_id } from "./examples.ts";

const license_key = "7QX2M-04HNB-T5R8K-W1E9D-C6Y3P";
const instance_id = "act_01KEZBE0Z3X6V9B2N5M8Q1W4RT";

export const licenseRequestExample: LicenseRequestInput = { license_key, instance_id };
export const licenseActivationExample: LicenseActivationInput = {
  license_key,
  instance_name: "ana-laptop",
};
export const licenseDeactivationExample: LicenseDeactivationInput = { license_key, instance_id };

export const licenseExample: License = {
  valid: true,
  reason: null,
  entitlement_id: "ent_01KEZBC9R4T7Y0P3S6D9F2G5HJ",
  product_id,
  activation_limit: 3,
  activation_usage: 1,
  instance: { id: instance_id, name: "ana-laptop", created_at: paid_at },
};

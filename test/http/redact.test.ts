import { expect, test } from "vitest";
import { redact } from "../../src/http/access/redact.ts";

test.each([
  ["/v1/store", "/v1/store"],
  ["/v1/products?limit=2&search=key", "/v1/products?limit=2&search=key"],
  ["/v1/store?key=hk_live_pub_abc", "/v1/store?key=[redacted]"],
  ["/v1/store?a=1&KEY=secret&b=2", "/v1/store?a=1&KEY=[redacted]&b=2"],
  ["/v1/store?%6bey=secret", "/v1/store?%6bey=[redacted]"],
  ["/v1/store?+key+=secret", "/v1/store?+key+=[redacted]"],
  ["/v1/store?%zz=secret", "/v1/store?%zz=[redacted]"],
  ["/v1/store?key", "/v1/store?key=[redacted]"],
  ["/v1/store?keys=1&monkey=2", "/v1/store?keys=1&monkey=2"],
  ["/v1/hk_live_sec_0aZ/x", "/v1/[redacted]/x"],
  ["/v1/hk_test_pub_0aZ", "/v1/[redacted]"],
  ["/v1/HK_LIVE_sec_0aZ", "/v1/[redacted]"],
  ["/v1/x?note=whsec_0aZ9&y=1", "/v1/x?note=[redacted]&y=1"],
  ["/v1/x?note=hk_live_%73ec", "/v1/x?note=[redacted]"],
  ["/v1/hk_other_x", "/v1/hk_other_x"],
])("%s is logged as %s", (target, shown) => {
  expect(redact(target)).toBe(shown);
});

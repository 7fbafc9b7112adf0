import { expect, test } from "vitest";
import { maskTaxId } from "../../src/domain/mask.ts";

const masked = [
  ["a CPF with punctuation", "529.982.247-25", "***.***.247-**", "cpf"],
  ["a CPF of digits alone", "52998224725", "***.***.247-**", "cpf"],
  ["a CPF that is masked already", "***.***.247-**", "***.***.247-**", "cpf"],
  ["a CNPJ with punctuation", "12.345.678/0001-95", "***.***.678-**", "cnpj"],
] as const;

test.each(masked)("%s keeps three digits", (_name, given, tax_id, tax_id_type) => {
  expect(maskTaxId(given)).toEqual({ tax_id, tax_id_type });
});

test.each([null, 52998224725, "", "123", "not a tax id"])("%j is no tax id", (given) => {
  expect(maskTaxId(given)).toBeNull();
});

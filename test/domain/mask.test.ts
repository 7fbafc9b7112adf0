import { expect, test } from "vitest";
import { maskTaxId } from "../../src/domain/text/mask.ts";

const masked = [
  ["a CPF with punctuation", "529.982.247-25", "***.***.247-**", "cpf"],
  ["a CPF of digits alone", "52998224725", "***.***.247-**", "cpf"],
  ["a CPF that is masked already", "***.***.247-**", "***.***.247-**", "cpf"],
  ["a masked CPF with space around it", " ***.***.247-**\n", "***.***.247-**", "cpf"],
  ["a CNPJ with punctuation", "12.345.678/0001-95", "***.***.678-**", "cnpj"],
  ["a CNPJ with letters", "12.ABC.345/01de-35", "***.***.345-**", "cnpj"],
  ["a CPF of wide digits", "５２９.982.247-25", "***.***.247-**", "cpf"],
  ["a CPF of a hundred characters", `52998224725${" ".repeat(89)}`, "***.***.247-**", "cpf"],
] as const;

test.each(masked)("%s keeps three digits", (_name, given, tax_id, tax_id_type) => {
  expect(maskTaxId(given)).toEqual({ tax_id, tax_id_type });
});

test.each([
  null,
  52998224725,
  "",
  "123",
  "not a tax id",
  "1***.***.247-**",
  "***.***.247-**1",
  "529982247250",
  "123456780001950",
  "A12345678000195",
  "12345A78000195",
  "1234567A000195",
  "12345678000!195",
  `52998224725${" ".repeat(90)}`,
])("%j is no tax id", (given) => {
  expect(maskTaxId(given)).toBeNull();
});

/** Whether the check digits of an IBAN without spaces are right, and its length is possible (ISO 13616). */
export function isIban(iban: string): boolean {
  if (iban.length < 15 || iban.length > 34) return false
  const figures = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, letter =>
    String(Number.parseInt(letter, 36)),
  )
  return BigInt(figures) % 97n === 1n
}

/** `ES9121000418450200051332` is `ES91 2100 0418 4502 0005 1332`. */
export function ibanInGroups(iban: string): string {
  return iban.replace(/.{4}(?=.)/g, '$& ')
}

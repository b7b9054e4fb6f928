import { fail } from '#platform/fail.ts'
import { isIban } from '#server/crm/index.ts'

/** Removes the spaces of an IBAN. Refuses VALIDATION_ERROR if its check digits are wrong. */
export function ibanOf(text: string): string {
  const iban = text.replaceAll(' ', '')
  if (!isIban(iban)) refuse('iban', 'has wrong check digits')
  return iban
}

/**
 * Whether the check digits of a creditor identifier are right (EPC AT-02). The business code in the characters 5 to 7 does
 * not count.
 */
export function isCreditorIdentifier(identifier: string): boolean {
  const figures = `${identifier.slice(7)}${identifier.slice(0, 4)}`.replace(/[A-Z]/g, letter =>
    String(Number.parseInt(letter, 36)),
  )
  return BigInt(figures) % 97n === 1n
}

/** Refuses VALIDATION_ERROR for a field of the body. */
export function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'format', message }] })
}

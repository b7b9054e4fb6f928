import { timingSafeEqual } from 'node:crypto'

/** Compares a secret with an input, in a time that depends on their lengths alone. */
export function equalInConstantTime(secret: Buffer, input: Buffer): boolean {
  return secret.length === input.length && timingSafeEqual(secret, input)
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPasswords, commonWords } from './common-passwords.ts'
import { weaknessOf } from './passwords.ts'

const email = 'ada.lovelace@example.com'

test.each([
  ['short', 'TOO_SHORT'],
  ['123456789', 'TOO_SHORT'],
  ['x'.repeat(129), 'TOO_LONG'],
  ['I am Ada.Lovelace!', 'CONTAINS_EMAIL'],
  ['1234567890', 'TOO_COMMON'],
  ['0987654321', 'TOO_COMMON'],
  ['qwertyuiop', 'TOO_COMMON'],
  ['1qaz2wsx3edc', 'TOO_COMMON'],
  ['zyxwvutsrq!', 'TOO_COMMON'],
  ['aaaaaaaaaa1', 'TOO_COMMON'],
  ['abcabcabcabc', 'TOO_COMMON'],
  ['password123', 'TOO_COMMON'],
  ['P@ssw0rd2024!', 'TOO_COMMON'],
  ['!!Welc0me2026', 'TOO_COMMON'],
  ['1l0v3y0u!!!!', 'TOO_COMMON'],
  ['Bienvenido2024', 'TOO_COMMON'],
  ['passwordpassword', 'TOO_COMMON'],
  ['CorrectHorseBatteryStaple', 'TOO_COMMON'],
])('%s is refused: %s', (password, code) => {
  expect(weaknessOf(password, email)?.code).toBe(code)
})

test.each([
  'Vierzig blaue Traktoren',
  'kx7#pQ2m!z',
  'dragons eat 9 summers',
  'Ñandú come fideos',
  'sunshine over Patagonia 7',
])('%s is taken', password => {
  expect(weaknessOf(password, email)).toBeUndefined()
})

test('a very short name before the @ may occur by chance', () => {
  expect(weaknessOf('vierzig blaue Traktoren', 'vi@example.com')).toBeUndefined()
})

test('every listed password of usable length is refused, in any case and with an ending', () => {
  for (const password of [...commonPasswords, ...commonWords]) {
    for (const variant of [password, password.toUpperCase(), `${password}1`.padEnd(10, '!')]) {
      if (variant === password && password.length < 10) continue
      if (commonPasswords.has(password) && variant.length !== password.length) continue
      expect([variant, weaknessOf(variant, email)?.code]).not.toEqual([variant, undefined])
    }
  }
})

test('random passwords are practically never refused', () => {
  const signs = fc.string({
    unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#%'),
    minLength: 14,
    maxLength: 14,
  })
  const sample = fc.sample(signs, { numRuns: 2_000, seed: 7 })
  // fast-check likes repetitive strings on purpose
  const refused = sample.filter(password => new Set(password).size > 9 && weaknessOf(password, email))
  expect(refused).toEqual([])
})

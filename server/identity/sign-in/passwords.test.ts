import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { commonPasswords, commonWords, listFile, openCommonList } from './common-passwords.ts'
import { weaknessOf } from './passwords.ts'

const owner = { email: 'ada.lovelace@example.com', names: ['Ada Lovelace', 'Analytical Engines Ltd'] }

test.each([
  ['short', 'TOO_SHORT'],
  ['123456789', 'TOO_SHORT'],
  ['x'.repeat(129), 'TOO_LONG'],
  ['I am Ada.Lovelace!', 'CONTAINS_EMAIL'],
  ['L0velace1815!', 'CONTAINS_NAME'],
  ['Ada-Engines-Ltd', 'CONTAINS_NAME'],
  ['Analytical1234567', 'CONTAINS_NAME'],
  // known from published lists alone
  ['thunderbird', 'TOO_COMMON'],
  ['Thund3rb1rd', 'TOO_COMMON'],
  ['nintendo64!!', 'TOO_COMMON'],
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
])('%s is refused: %s', async (password, code) => {
  expect((await weaknessOf(password, owner))?.code).toBe(code)
})

test.each([
  'Vierzig blaue Traktoren',
  'kx7#pQ2m!z',
  'Lovelace wrote the first program',
  'analytical giraffes at noon',
  'dragons eat 9 summers',
  'Ñandú come fideos',
  'sunshine over Patagonia 7',
])('%s is accepted', async password => {
  expect(await weaknessOf(password, owner)).toBeUndefined()
})

test('a very short local part may occur by chance', async () => {
  const shortNamed = { email: 'vi@example.com', names: ['V. I'] }
  expect(await weaknessOf('vierzig blaue Traktoren', shortNamed)).toBeUndefined()
})

test('every listed password is refused, in any case and with an ending', async () => {
  for (const password of [...commonPasswords, ...commonWords]) {
    for (const variant of [password, password.toUpperCase(), `${password}1`.padEnd(10, '!')]) {
      if (variant === password && password.length < 10) continue
      if (commonPasswords.has(password) && variant.length !== password.length) continue
      expect([variant, (await weaknessOf(variant, owner))?.code]).not.toEqual([variant, undefined])
    }
  }
})

test('random passwords are practically never refused', async () => {
  const signs = fc.string({
    unit: fc.constantFrom(...'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#%'),
    minLength: 14,
    maxLength: 14,
  })
  const sample = fc.sample(signs, { numRuns: 300, seed: 7 })
  // fast-check likes repetitive strings on purpose
  const refused: string[] = []
  for (const password of sample)
    if (new Set(password).size > 9 && (await weaknessOf(password, owner))) refused.push(password)
  expect(refused).toEqual([])
})

test('more than ten thousand common passwords are refused', async () => {
  const isListed = await openCommonList()
  const list = JSON.parse(readFileSync(listFile, 'utf8')) as string[]
  expect(list.length).toBeGreaterThan(10_000)
  const some = list.filter((_, at) => at % 100 === 0)
  expect(some.filter(password => !isListed(password))).toEqual([])
  const tried = list.filter(({ length }) => length >= 10).slice(0, 200)
  for (const password of tried)
    expect([password, await weaknessOf(password, owner)]).not.toEqual([password, undefined])
})

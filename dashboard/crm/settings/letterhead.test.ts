import { expect, test } from 'vitest'
import { changedFields, fieldsOf, textsOf } from './letterhead.rules.ts'

const stored = {
  accentColor: '#1f5f3a',
  accountHolder: null,
  iban: 'ES9121000418450200051332',
  bic: null,
  footer: null,
}

test('an IBAN is shown in groups of four, and input becomes what the server accepts', () => {
  const texts = textsOf(stored)
  expect(texts).toMatchObject({ iban: 'ES91 2100 0418 4502 0005 1332', bic: '' })
  expect(
    fieldsOf({ ...texts, accentColor: ' 1F5F3A', iban: 'es9121000418450200051332', bic: 'caixesbb xxx' }),
  ).toEqual({ ...stored, iban: 'ES91 2100 0418 4502 0005 1332', bic: 'CAIXESBBXXX' })
})

test('saving keeps what somebody else has changed in other fields', () => {
  const before = textsOf(stored)
  const byOther = { ...stored, accentColor: '#000000', footer: 'Tomo 1' }
  expect(changedFields(before, { ...before, bic: 'CAIXESBB', footer: 'Tomo 2' }, byOther)).toEqual({
    ...byOther,
    iban: 'ES91 2100 0418 4502 0005 1332',
    bic: 'CAIXESBB',
    footer: 'Tomo 2',
  })
})

import { expect, it } from 'vitest'
import { errors } from '#contract/errors.ts'
import { signInRoutes } from '#contract/identity/sign-in.ts'
import { signInErrorTextsEn } from './errors.en.ts'
import { errorTextsEs } from './errors.es.ts'

const ofSignIn = signInRoutes
  .flatMap(({ refusals = {} }) => Object.values(refusals).flat())
  .filter(code => !(code in errors))

it('every error code has a Spanish text, and no text is left over (DSH-12)', () => {
  const codes = new Set([...Object.keys(errors), ...ofSignIn])
  expect([...codes].filter(code => !errorTextsEs[code])).toEqual([])
  expect(Object.keys(errorTextsEs).filter(code => !codes.has(code))).toEqual([])
})

it('every code of sign-in has an English text', () => {
  expect(Object.keys(signInErrorTextsEn).toSorted()).toEqual([...new Set(ofSignIn)].toSorted())
})

it('says no in plain words: no exclamation marks, and a full stop at the end', () => {
  for (const text of [...Object.values(errorTextsEs), ...Object.values(signInErrorTextsEn)])
    expect(text).toMatch(/^[^!¡]+\.$/)
})

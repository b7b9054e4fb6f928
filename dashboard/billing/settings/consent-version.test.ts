import { expect, it } from 'vitest'
import { currentKeys, languageName } from './consent-version.ts'

it('takes the newest version of each locale, in whatever order they come', () => {
  const versions = [
    { locale: 'es', version: 2 },
    { locale: 'es', version: 10 },
    { locale: 'en', version: 1 },
    { locale: 'es', version: 9 },
  ]
  expect([...currentKeys(versions)].sort()).toEqual(['en-v1', 'es-v10'])
})

it('names a locale, also while it is typed', () => {
  expect(['es', 'es-MX', 'e', ''].map(locale => languageName(locale, 'en'))).toEqual([
    'Spanish',
    'Mexican Spanish',
    'e',
    '',
  ])
})

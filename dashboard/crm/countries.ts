import { type Language, locales } from '../words/words.ts'

export type Country = { code: string; name: string }

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Regions that have a code and a name, and are no countries of ISO 3166-1. */
const notCountries = new Set('AC AN CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ'.split(' '))
const lists = new Map<Language, readonly Country[]>()
const namesOf = (language: Language) =>
  new Intl.DisplayNames(locales[language], { type: 'region', fallback: 'none' })
const names = { es: namesOf('es'), en: namesOf('en') }

/** The countries of ISO 3166-1 by name, as the browser knows them. */
export function countriesIn(language: Language): readonly Country[] {
  let list = lists.get(language)
  if (!list) {
    list = letters
      .flatMap(first => letters.map(second => first + second))
      .filter(code => !notCountries.has(code) && new Intl.Locale(`und-${code}`).region === code)
      .map(code => ({ code, name: names[language].of(code) }))
      .filter((country): country is Country => country.name !== undefined)
      .toSorted((one, other) => one.name.localeCompare(other.name, language))
    lists.set(language, list)
  }
  return list
}

/** The name of a country; its code if the browser has no name. */
export function countryName(code: string, language: Language): string {
  return (/^[A-Z]{2}$/.test(code) ? names[language].of(code) : undefined) ?? code
}

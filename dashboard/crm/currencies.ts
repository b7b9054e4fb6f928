import { type Language, locales } from '../words/words.ts'

/** The currencies that the browser knows by code, in lower case as the server names them, and their names. */
export function currenciesIn(language: Language): readonly { code: string; name: string }[] {
  const names = new Intl.DisplayNames(locales[language], { type: 'currency' })
  return Intl.supportedValuesOf('currency').map(code => ({
    code: code.toLowerCase(),
    name: names.of(code) ?? code,
  }))
}

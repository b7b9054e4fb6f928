import { createContext, useContext } from 'react'

export const languages = ['es', 'en'] as const
export type Language = (typeof languages)[number]
/** How each language writes dates, numbers and amounts. */
export const locales = { es: 'es-ES', en: 'en-GB' } as const satisfies Record<Language, string>

type Text = string | ((...values: never[]) => string)
export type Texts = Readonly<Record<string, Text>>
/** The same keys in every language; a function has the same parameters in each. */
type SameKeys<T extends Texts> = { readonly [Key in keyof T]: T[Key] extends string ? string : T[Key] }
export type Words<T extends Texts> = { readonly es: T; readonly en: SameKeys<T> }

/** Declares the texts of a screen in both languages. A missing or additional key is a type error. */
export function words<T extends Texts>(texts: Words<T>): Words<T> {
  return texts
}

export const LanguageContext = createContext<Language>('en')

/** The language that the person chose, otherwise that of the browser. */
export function useLanguage(): Language {
  return useContext(LanguageContext)
}

/** The texts of a screen in the language of the person. */
export function useWords<T extends Texts>(texts: Words<T>): SameKeys<T> {
  return texts[useLanguage()] as SameKeys<T>
}

const pluralRules = { es: new Intl.PluralRules('es'), en: new Intl.PluralRules('en') }

/** `one` for a count of one, else `other`. */
export function plural(language: Language, count: number, one: string, other: string): string {
  return pluralRules[language].select(count) === 'one' ? one : other
}

import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js/max'

const require = createRequire(import.meta.url)
// loaded lazily: it takes 19 MiB
const phoneLibrary = (): typeof import('libphonenumber-js/max') => require('libphonenumber-js/max')

/** Converts a telephone number to E.164; null if it cannot be parsed. */
export function toE164(phone: string, country: string): string | null {
  const number = phoneLibrary().parsePhoneNumberFromString(phone, country as CountryCode)
  return number?.isPossible() ? number.number : null
}

/** Whether the library knows telephone numbers of this country (ISO 3166). */
export function isPhoneCountry(country: string): boolean {
  return phoneLibrary().isSupportedCountry(country)
}

/** The country of numbers without a country code, until the organization sets another. */
export const defaultPhoneCountry = 'ES'

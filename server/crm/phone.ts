import { createRequire } from 'node:module'
import type { CountryCode } from 'libphonenumber-js/max'

const require = createRequire(import.meta.url)
// loaded with the first number: it takes 19 MiB
const phoneLibrary = (): typeof import('libphonenumber-js/max') => require('libphonenumber-js/max')

/** A telephone number as it is dialled from anywhere (E.164), or null when it cannot be read as one. */
export function toE164(phone: string, country: string): string | null {
  const number = phoneLibrary().parsePhoneNumberFromString(phone, country as CountryCode)
  return number?.isPossible() ? number.number : null
}

/** Whether there are numbers of this country; ISO 3166. */
export function isPhoneCountry(country: string): boolean {
  return phoneLibrary().isSupportedCountry(country)
}

/** Where numbers without a country are from, as long as the organization says nothing else. */
export const defaultPhoneCountry = 'ES'

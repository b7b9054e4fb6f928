import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'

/** A telephone number as it is dialled from anywhere (E.164), or null when it cannot be read as one. */
export function dialled(phone: string, country: string): string | null {
  const number = parsePhoneNumberFromString(phone, country as CountryCode)
  return number?.isPossible() ? number.number : null
}

/** Whether there are numbers of this country; ISO 3166. */
export function isDialledFrom(country: string): boolean {
  return isSupportedCountry(country)
}

/** Where numbers without a country are from, as long as the organization says nothing else. */
export const phoneCountryDefault = 'ES'

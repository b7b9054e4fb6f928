import { expect, it } from 'vitest'
import { countriesIn, countryName } from './countries.ts'

it('lists the countries of ISO 3166-1 by name, without former ones and regions', () => {
  const countries = countriesIn('es')
  expect(countries).toHaveLength(249)
  const codes = countries.map(({ code }) => code)
  expect(codes).toEqual(expect.arrayContaining(['ES', 'DE', 'GB', 'PT', 'BL']))
  for (const code of ['DD', 'SU', 'EU', 'UK', 'XX']) expect(codes).not.toContain(code)
  expect(countries[0]).toEqual({ code: 'AF', name: 'Afganistán' })
})

it('names a country, and leaves what is none as it is', () => {
  expect(countryName('ES', 'es')).toBe('España')
  expect(countryName('ES', 'en')).toBe('Spain')
  expect(countryName('elsewhere', 'en')).toBe('elsewhere')
})

import { expect, it } from 'vitest'
import { missingForInvoices } from './client.rules.ts'

const client = { taxId: null, address: 'Calle Mayor 1', city: 'Madrid', country: 'ES' }

it('names what is missing before an invoice can be issued', () => {
  expect(missingForInvoices({ ...client, address: null, city: null, country: null }, 'ES')).toEqual([
    'address',
    'city',
    'country',
  ])
  expect(missingForInvoices({ ...client, taxId: 'B12345678' }, 'ES')).toEqual([])
})

it('asks for a tax id in the country of the issuer alone', () => {
  expect(missingForInvoices(client, 'ES')).toEqual(['taxId'])
  expect(missingForInvoices(client, 'FR')).toEqual([])
  expect(missingForInvoices(client, undefined)).toEqual([])
})

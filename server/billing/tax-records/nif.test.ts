import { expect, test } from 'vitest'
import { nifOf } from './nif.ts'

test.each([
  ['89890001K', '89890001K'],
  ['12345678z', '12345678Z'],
  ['x1234567l', 'X1234567L'],
  ['B-12.345.674', 'B12345674'],
  ['ESB76543214', 'B76543214'],
  ['P2807900B', 'P2807900B'],
  ['Q2826000H', 'Q2826000H'],
])('%s is a NIF', (taxId, nif) => {
  expect(nifOf(taxId)).toBe(nif)
})

test.each(['', '12345678A', 'B12345675', 'B1234567', 'X1234567M', 'P28079002', 'FR12345678901', 'O1234567A'])(
  '%s is none',
  taxId => {
    expect(nifOf(taxId)).toBeUndefined()
  },
)

import { expect, test } from 'vitest'
import { canFillIn, problemText } from './e-invoice.rules.ts'
import { eInvoiceTexts } from './e-invoice.words.ts'

const problem = (path: string, code: string) => ({ path, code, message: 'as the server says' })

test('a problem of a format names the datum and the reason in words', () => {
  const texts = [
    problem('recipient.postalCode', 'required'),
    problem('issuer.taxId', 'too_long'),
    problem('lines.2.taxes', 'not_supported'),
    problem('currency', 'not_supported'),
    problem('recipient.planet', 'unknown'),
  ].map(one => problemText(one, eInvoiceTexts.es))
  expect(texts).toEqual([
    'Código postal del cliente: falta',
    'NIF de la organización: demasiado largo para este formato',
    'Impuestos de la línea 3: sin sitio en este formato',
    'Moneda: sin sitio en este formato',
    'recipient.planet: as the server says',
  ])
})

test('only a missing tax id or postal code of the client is filled in afterwards', () => {
  const taxId = problem('recipient.taxId', 'required')
  expect(canFillIn([taxId, problem('recipient.postalCode', 'required')])).toBe(true)
  expect(canFillIn([taxId, problem('notes', 'too_long')])).toBe(false)
  expect(canFillIn([problem('recipient.taxId', 'too_long')])).toBe(false)
})

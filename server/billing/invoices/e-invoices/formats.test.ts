import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalOf, roundedProduct } from '#platform/decimal.ts'
import { anyEInvoice, eInvoice, rectifyingEInvoice } from '#tests/support/billing/e-invoices.ts'
import { readXml, type XmlReader } from '#tests/support/billing/read-xml.ts'
import { defined, itemAt, only } from '#tests/support/elements.ts'
import { perCent } from '../amounts.ts'
import { completedRecipient, type EInvoice, taxKindOf } from './e-invoice.rules.ts'
import { facturaeOf, facturaeProblems } from './facturae.ts'
import { provinceOf } from './provinces.ts'
import { ublOf, ublProblems } from './ubl.ts'

const iva = { name: 'IVA', rate: '21' }
const irpf = { name: 'IRPF', rate: '-15' }
const work = { description: 'Work', unitPriceCents: 10_000, taxes: [iva] }
const sum = (figures: bigint[]) => figures.reduce((total, figure) => total + figure, 0n)
const problemsOf = (invoice: EInvoice) => ({
  ubl: ublProblems(invoice).map(({ path, code }) => `${path} ${code}`),
  facturae: facturaeProblems(invoice).map(({ path, code }) => `${path} ${code}`),
})
const ubl = <Result>(invoice: EInvoice, read: (root: XmlReader) => Result) => readXml(ublOf(invoice), read)
const facturae = <Result>(invoice: EInvoice, read: (root: XmlReader) => Result) =>
  readXml(facturaeOf(invoice), read)

/** Checks the sums that EN 16931 requires, exactly; its own artefacts tolerate differences of one unit. */
function checkSums(root: XmlReader): void {
  const lines = root.all('cac:InvoiceLine')
  const groups = root.all('cac:TaxTotal/cac:TaxSubtotal')
  const total = (name: string) => root.cents(`cac:LegalMonetaryTotal/cbc:${name}`)
  const net = (line: XmlReader) => line.cents('cbc:LineExtensionAmount')
  const category = (at: XmlReader, path: string) =>
    `${at.text(`${path}/cbc:ID`)} ${at.text(`${path}/cbc:Percent`)}`
  // BR-CO-10, BR-CO-13 to BR-CO-16, BR-CO-25
  expect(sum(lines.map(net))).toBe(total('LineExtensionAmount'))
  expect(total('TaxExclusiveAmount')).toBe(total('LineExtensionAmount'))
  expect(sum(groups.map(group => group.cents('cbc:TaxAmount')))).toBe(
    root.cents('cac:TaxTotal/cbc:TaxAmount'),
  )
  expect(total('TaxInclusiveAmount')).toBe(
    total('TaxExclusiveAmount') + root.cents('cac:TaxTotal/cbc:TaxAmount'),
  )
  expect(total('PayableAmount')).toBe(total('TaxInclusiveAmount') + total('PayableRoundingAmount'))
  expect(root.text('cbc:DueDate')).toMatch(/^\d{4}-\d\d-\d\d$/)
  const seen = groups.map(group => category(group, 'cac:TaxCategory'))
  // BR-S-01 and those of the other categories
  expect(new Set(seen).size).toBe(seen.length)
  expect(new Set(lines.map(line => category(line, 'cac:Item/cac:ClassifiedTaxCategory')))).toEqual(
    new Set(seen),
  )
  for (const [at, group] of groups.entries()) {
    const own = lines.filter(line => category(line, 'cac:Item/cac:ClassifiedTaxCategory') === seen[at])
    const base = group.cents('cbc:TaxableAmount')
    // BR-S-08, BR-CO-17, BR-E-10
    expect(base).toBe(sum(own.map(net)))
    const rate = perCent(decimalOf(defined(group.text('cac:TaxCategory/cbc:Percent'))))
    expect(group.cents('cbc:TaxAmount')).toBe(roundedProduct(Number(base), rate))
    const reason = group.text('cac:TaxCategory/cbc:TaxExemptionReason')
    expect(reason !== undefined).toBe(itemAt(seen, at).startsWith('E '))
  }
  for (const line of lines) {
    const off = line.all('cac:AllowanceCharge')
    expect(off.length).toBeLessThan(2)
    for (const one of off) expect(one.cents('cbc:BaseAmount') - one.cents('cbc:Amount')).toBe(net(line))
    // BR-25, BR-27
    expect(defined(line.text('cac:Item/cbc:Name')).trim()).not.toBe('')
    expect(line.cents('cac:Price/cbc:PriceAmount')).toBeGreaterThanOrEqual(0n)
  }
}

test('any invoice keeps its total in UBL, and its sums are those of EN 16931', () => {
  fc.assert(
    fc.property(anyEInvoice, invoice => {
      expect(problemsOf(invoice)).toEqual({ ubl: [], facturae: [] })
      ubl(invoice, root => {
        checkSums(root)
        const withheld = root.cents('cac:WithholdingTaxTotal/cbc:TaxAmount')
        const parts = root.all('cac:WithholdingTaxTotal/cac:TaxSubtotal')
        expect(sum(parts.map(part => part.cents('cbc:TaxAmount')))).toBe(withheld)
        expect(root.cents('cac:LegalMonetaryTotal/cbc:PayableAmount') - withheld).toBe(
          BigInt(invoice.total_cents),
        )
      })
      expect(ublOf(invoice)).toBe(ublOf(structuredClone(invoice)))
    }),
  )
})

test('any invoice keeps its total in Facturae, and its sums add up', () => {
  fc.assert(
    fc.property(anyEInvoice, invoice => {
      facturae(invoice, root => {
        const body = only(root.all('Invoices/Invoice'))
        const total = (name: string) => body.cents(`InvoiceTotals/${name}`)
        const lines = body.all('Items/InvoiceLine')
        const amounts = (path: string) => sum(body.all(path).map(one => one.cents('.')))
        expect(amounts('Items/InvoiceLine/GrossAmount')).toBe(total('TotalGrossAmount'))
        expect(amounts('TaxesOutputs/Tax/TaxAmount/TotalAmount')).toBe(total('TotalTaxOutputs'))
        expect(amounts('TaxesWithheld/Tax/TaxAmount/TotalAmount')).toBe(total('TotalTaxesWithheld'))
        expect(total('TotalGrossAmountBeforeTaxes')).toBe(total('TotalGrossAmount'))
        expect(total('InvoiceTotal')).toBe(
          total('TotalGrossAmountBeforeTaxes') + total('TotalTaxOutputs') - total('TotalTaxesWithheld'),
        )
        expect(total('InvoiceTotal')).toBe(BigInt(invoice.total_cents))
        expect(root.cents('FileHeader/Batch/TotalInvoicesAmount/TotalAmount')).toBe(total('InvoiceTotal'))
        for (const kind of ['TaxesOutputs', 'TaxesWithheld'])
          expect(amounts(`Items/InvoiceLine/${kind}/Tax/TaxableBase/TotalAmount`)).toBe(
            amounts(`${kind}/Tax/TaxableBase/TotalAmount`),
          )
        for (const line of lines) {
          const off = line.cents('DiscountsAndRebates/Discount/DiscountAmount')
          expect(line.cents('TotalCost') - off).toBe(line.cents('GrossAmount'))
          expect(line.all('TaxesOutputs/Tax').length).toBeGreaterThan(0)
        }
      })
    }),
  )
})

describe('both formats of one rectifying invoice', () => {
  // the files were validated with the schemas and rules that docs/spec/billing.md names (EINV-9)
  test.each([
    ['ubl', ublOf],
    ['facturae', facturaeOf],
  ])('%s is the stored file', (name, write) => {
    expect(write(rectifyingEInvoice)).toBe(
      readFileSync(new URL(`../../../../tests/vectors/e-invoice-${name}.xml`, import.meta.url), 'utf8'),
    )
  })
})

describe('UBL', () => {
  test('two names of one rate are one group, and the rounding amount keeps the total', () => {
    const cents = (name: string) => ({ description: 'x', unitPriceCents: 50, taxes: [{ name, rate: '21' }] })
    const invoice = eInvoice({ lines: [cents('IVA'), cents('VAT'), cents('I.V.A.')] })
    // 3 × 0.11 in the invoice, and 21 % of 1.50
    expect(invoice.total_cents).toBe(183)
    ubl(invoice, root => {
      checkSums(root)
      expect(root.text('cac:LegalMonetaryTotal/cbc:TaxInclusiveAmount')).toBe('1.82')
      expect(root.text('cac:LegalMonetaryTotal/cbc:PayableRoundingAmount')).toBe('0.01')
      expect(root.text('cac:LegalMonetaryTotal/cbc:PayableAmount')).toBe('1.83')
    })
  })

  test('a withheld tax stays in the amount due for payment, and a note says what remains', () => {
    const invoice = eInvoice({ lines: [{ ...work, taxes: [iva, irpf] }] })
    ubl(invoice, root => {
      expect(root.text('cac:LegalMonetaryTotal/cbc:PayableAmount')).toBe('121.00')
      expect(root.text('cac:WithholdingTaxTotal/cbc:TaxAmount')).toBe('15.00')
      expect(root.text('cac:PaymentTerms/cbc:Note')).toBe(
        'Retenciones: IRPF 15 %: 15,00 EUR. Importe una vez descontadas: 106,00 EUR',
      )
    })
  })

  test.each([
    [[{ name: 'IVA', rate: '0' }], 'Z', undefined],
    [[{ name: 'IVA exento', rate: '0' }], 'E', 'IVA exento'],
    [[], 'E', 'La factura no repercute IVA por estas líneas'],
    [[irpf], 'E', 'La factura no repercute IVA por estas líneas'],
    [[{ name: 'IGIC', rate: '7' }], 'L', undefined],
    [[{ name: 'IGIC', rate: '0' }], 'L', undefined],
    [[{ name: 'IPSI', rate: '4' }, irpf], 'M', undefined],
    [[{ name: 'TVA réduite', rate: '5.5' }], 'S', undefined],
  ])('a line with the taxes %j has the category %s', (taxes, category, reason) => {
    ubl(eInvoice({ lines: [{ ...work, taxes }] }), root => {
      checkSums(root)
      expect(root.text('cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory/cbc:ID')).toBe(category)
      expect(root.text('cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory/cbc:TaxExemptionReason')).toBe(reason)
    })
  })

  test('amounts have the decimals of their currency, and no more than two', () => {
    ubl(eInvoice({ currency: 'jpy' }), root => {
      expect(root.text('cac:LegalMonetaryTotal/cbc:PayableAmount')).toBe('12100')
      expect(root.text('cac:LegalMonetaryTotal/cbc:PayableAmount/@currencyID')).toBe('JPY')
    })
    expect(problemsOf(eInvoice({ currency: 'kwd' })).ubl).toEqual(['currency not_supported'])
  })

  test('a discount of 100 % is exact above the numbers that JavaScript holds', () => {
    const line = { description: 'x', unitPriceCents: 1_000_000_000_000, quantity: '999999999.9999' }
    ubl(eInvoice({ lines: [{ ...line, discountPercent: '100', taxes: [iva] }] }), root => {
      expect(root.text('cac:InvoiceLine/cac:AllowanceCharge/cbc:Amount')).toBe('9999999999999000000.00')
      checkSums(root)
    })
  })

  test('VAT identifiers have the prefix of their country', () => {
    const idOf = (taxId: string, country: string) =>
      ubl(eInvoice({ recipient: { taxId, country } }), root =>
        root.text('cac:AccountingCustomerParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID'),
      )
    expect(idOf('b-1234.5674', 'ES')).toBe('ESB12345674')
    expect(idOf('ESB12345674', 'ES')).toBe('ESB12345674')
    expect(idOf('123456789', 'GR')).toBe('EL123456789')
    expect(idOf('el 123456789', 'GR')).toBe('EL123456789')
  })

  test('refuses taxes without a place in EN 16931, by their lines', () => {
    const lines = [
      work,
      { ...work, taxes: [iva, { name: 'Recargo de equivalencia', rate: '5.2' }] },
      { ...work, taxes: [iva, { name: 'IVA', rate: '10' }] },
      { ...work, taxes: [{ name: 'Sales tax', rate: '8' }] },
    ]
    expect(problemsOf(eInvoice({ lines }))).toEqual({
      ubl: ['lines.1.taxes not_supported', 'lines.2.taxes not_supported', 'lines.3.taxes not_supported'],
      facturae: [],
    })
  })

  test('needs neither tax id nor postal code of the recipient', () => {
    const invoice = eInvoice({ recipient: { taxId: null, postalCode: null } })
    expect(problemsOf(invoice).ubl).toEqual([])
    ubl(invoice, root => expect(root.all('cac:AccountingCustomerParty//cac:PartyTaxScheme')).toEqual([]))
  })
})

describe('Facturae', () => {
  const recipient = (given: Parameters<typeof eInvoice>[0]) =>
    facturae(eInvoice(given), root => {
      const party = only(root.all('Parties/BuyerParty'))
      const text = (path: string) => party.text(path)
      return {
        kind: text('TaxIdentification/PersonTypeCode'),
        residence: text('TaxIdentification/ResidenceTypeCode'),
        taxId: text('TaxIdentification/TaxIdentificationNumber'),
        name:
          text('LegalEntity/CorporateName') ??
          party.all('Individual/*[position() < 4]').map(one => one.text('.')),
        country: text('.//CountryCode'),
      }
    })

  test('companies and natural persons, in Spain, the EU and elsewhere', () => {
    expect(recipient({})).toEqual({
      kind: 'J',
      residence: 'R',
      taxId: 'B12345674',
      name: 'Ánimas & Sons SA',
      country: 'ESP',
    })
    expect(recipient({ recipient: { name: 'Ruiz Sáez, Ana María', taxId: 'ES12345678Z' } })).toMatchObject({
      kind: 'F',
      taxId: '12345678Z',
      name: ['Ana María', 'Ruiz', 'Sáez'],
    })
    const greek = { taxId: '123456789', country: 'GR', postalCode: null }
    expect(recipient({ recipient: greek })).toMatchObject({
      residence: 'U',
      taxId: 'EL123456789',
      country: 'GRC',
    })
    const american = { taxId: '12-3456789', country: 'US' }
    expect(recipient({ recipient: american })).toMatchObject({
      residence: 'E',
      taxId: '123456789',
      country: 'USA',
    })
  })

  test('a surcharge of equivalence belongs to the VAT of exactly the same lines', () => {
    const surcharge = { name: 'R.E.', rate: '5.2' }
    const taxes = (lines: Parameters<typeof eInvoice>[0]) =>
      facturae(eInvoice(lines), root =>
        root
          .all('Invoices/Invoice/TaxesOutputs/Tax')
          .map(tax => [tax.text('TaxTypeCode'), tax.text('TaxRate'), tax.text('EquivalenceSurcharge')]),
      )
    const both = { ...work, taxes: [iva, surcharge] }
    expect(taxes({ lines: [both, both] })).toEqual([['01', '21.00', '5.20']])
    expect(taxes({ lines: [both, work] })).toEqual([
      ['01', '21.00', undefined],
      ['05', '5.20', undefined],
    ])
  })

  test('needs euros, a tax id, and in Spain a postal code; lengths are those of the schema', () => {
    const facturaeOnly = (given: Parameters<typeof eInvoice>[0]) => problemsOf(eInvoice(given)).facturae
    expect(facturaeOnly({ currency: 'usd' })).toEqual(['currency not_supported'])
    expect(facturaeOnly({ recipient: { taxId: null, postalCode: null } })).toEqual([
      'recipient.taxId required',
      'recipient.postalCode required',
    ])
    expect(facturaeOnly({ recipient: { taxId: null, country: 'FR', postalCode: null } })).toEqual([
      'recipient.taxId required',
    ])
    expect(facturaeOnly({ recipient: { postalCode: '53001' } })).toEqual(['recipient.postalCode format'])
    expect(facturaeOnly({ recipient: { country: 'SX' } })).toEqual(['recipient.country not_supported'])
    expect(facturaeOnly({ recipient: { name: 'Ana', taxId: '12345678Z' } })).toEqual([
      'recipient.name format',
    ])
    const long = {
      name: 'x'.repeat(81),
      address: 'x'.repeat(81),
      city: 'x'.repeat(51),
      email: `${'x'.repeat(50)}@long.example`,
      taxId: `B${'1'.repeat(30)}`,
    }
    expect(facturaeOnly({ recipient: long, notes: 'x'.repeat(2_501) })).toEqual([
      'recipient.taxId too_long',
      'recipient.name too_long',
      'recipient.address too_long',
      'recipient.email too_long',
      'recipient.city too_long',
      'notes too_long',
    ])
    expect(facturaeOnly({ notes: '😀'.repeat(2_500) })).toEqual([])
  })

  test('provinces by postal code', () => {
    expect(['01001', '11003', '28013', '38001', '52001'].map(provinceOf)).toEqual([
      'Álava',
      'Cádiz',
      'Madrid',
      'S. Cruz de Tenerife',
      'Melilla',
    ])
    expect(['00001', '53001', '2801', 'AD500', ''].map(provinceOf)).toEqual(Array(5).fill(undefined))
  })
})

test('taxes are recognized by their names', () => {
  const kinds = (names: string[], rate = '21') => names.map(name => taxKindOf({ name, rate }))
  expect(kinds(['IVA', 'i.v.a.', 'IVA 21%', 'Iva reducido', 'MwSt'])).toEqual(Array(5).fill('VAT'))
  expect(kinds(['RE', 'R.E.', 'Recargo de equivalencia'])).toEqual(Array(3).fill('SURCHARGE'))
  expect(kinds(['Privado', 'Sales tax', '21', 'IVAN'])).toEqual(Array(4).fill('OTHER'))
  expect(kinds(['IVA', 'IVA exento'], '0')).toEqual(['VAT', 'OTHER'])
})

test('a missing tax id or postal code comes from a client with the same name and address only', () => {
  const { recipient } = eInvoice({ recipient: { taxId: null, postalCode: null } })
  const client = { ...recipient, taxId: 'B12345674', postalCode: '48001', email: 'new@example.test' }
  expect(completedRecipient(recipient, client)).toEqual({ ...client, email: null })
  const other = { ...recipient, taxId: 'B999' }
  expect(completedRecipient(other, client).taxId).toBe('B999')
  expect(completedRecipient(recipient, { ...client, address: 'Calle Nueva 2' })).toEqual(recipient)
})

import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/crm/budgets.ts'
import { makeBudget, setIssuer } from '#tests/support/crm/budgets.ts'
import { makeClient } from '#tests/support/crm/leads-and-clients.ts'
import { only } from '#tests/support/elements.ts'
import { type Person, startTestServer, type TestServer } from '#tests/support/test-server.ts'
import { setBudgetStatus } from './budget.sql.ts'

let server: TestServer
let owner: Person
beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(async () => {
  owner = await (await server.organization()).person({ role: 'OWNER' })
})
afterAll(() => server?.close())

/** Downloads the PDF. */
async function printed(id: string): Promise<{ headers: Headers; bytes: Buffer }> {
  const answer = await fetch(`${server.url}/api/crm/budgets/${id}/pdf`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  expect(answer.status).toBe(200)
  return { headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** The words of each page. */
async function pagesOf(bytes: Buffer): Promise<string[]> {
  const { text } = await extractText(await getDocumentProxy(new Uint8Array(bytes)))
  return text.map(page => page.replace(/\s+/g, ' '))
}

async function allBudgetColumns() {
  const { id: clientId } = await makeClient(owner, {
    name: 'Ánimas & Sons',
    taxId: 'B-1234',
    email: 'office@animas.test',
    address: 'Calle Real 2',
    city: 'Huelva',
    postalCode: '21001',
    country: 'ES',
  })
  return makeBudget(owner, {
    clientId,
    title: 'Nueva web',
    issueDate: '2026-11-02',
    validUntil: '2026-12-02',
    sections: [
      {
        title: 'Fase 1',
        description: 'Lo primero',
        items: [
          {
            name: 'Diseño',
            description: 'De todas las páginas',
            quantity: '1234.5',
            unit: 'h',
            unitPriceCents: 6_000,
            discount: { kind: 'PERCENT', value: '12.5' },
            taxes: [
              { name: 'IVA', rate: '21' },
              { name: 'IRPF', rate: '-15' },
            ],
          },
        ],
      },
      {
        title: 'Extras',
        items: [
          { name: 'Libro', unitPriceCents: 2_000, optional: true, selected: false },
          { name: 'Fotos', unitPriceCents: 100, optional: true, taxes: [{ name: 'IVA', rate: '4' }] },
        ],
      },
    ],
    discounts: [
      { name: 'Amigos', kind: 'PERCENT', value: '10' },
      { name: 'Redondeo', kind: 'AMOUNT', value: 35 },
    ],
    conditions: 'Pago a 30 días.',
    notes: 'Gracias.',
    internalNotes: 'Nobody reads this',
  })
}

describe('the PDF of a budget', () => {
  test('shows issuer, client, items, totals and validity in Spanish', async () => {
    await setIssuer(owner)
    const { id } = await allBudgetColumns()
    const { headers, bytes } = await printed(id)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="P-2026-0001.pdf"',
      'cache-control': 'private, no-store',
      'content-length': String(bytes.length),
    })
    const page = only(await pagesOf(bytes))
    const parts = [
      'Harbour Books SL Presupuesto P-2026-0001',
      'Fecha 2 de noviembre de 2026 Válido hasta 2 de diciembre de 2026',
      'Emisor Harbour Books SL NIF: B87654321 Calle Mayor 1 11001 Cádiz España office@harbour.test 956 000 000',
      'Cliente Ánimas & Sons NIF: B-1234 Calle Real 2 21001 Huelva España office@animas.test',
      'Nueva web',
      'Fase 1 Lo primero Concepto Cantidad Precio Dto. Impuestos Importe',
      'Diseño 1.234,5 h 60,00 € 12,5 % IVA 21 % 64.811,25 €',
      'De todas las páginas',
      'IRPF -15 %',
      'Extras Concepto Cantidad Precio Dto. Impuestos Importe',
      'Libro 1 20,00 € 20,00 €',
      'Opcional, no incluido en el total',
      'Fotos 1 1,00 € IVA 4 % 1,00 €',
      'Opcional, incluido en el total',
      'Subtotal 64.812,25 €',
      'Amigos (10 %) -6.481,23 €',
      'Redondeo -0,35 €',
      'Base 58.330,67 €',
      'IVA 21 % de 58.329,77 € 12.249,25 €',
      'IVA 4 % de 0,90 € 0,04 € IRPF -15 % de 58.329,77 € -8.749,47 €',
      'Total 61.830,49 €',
      'Condiciones Pago a 30 días.',
      'Notas Gracias.',
      'Presupuesto P-2026-0001 · Nueva web Página 1 de 1',
    ]
    let from = 0
    for (const part of parts) {
      const at = page.indexOf(part, from)
      expect(at, `${part} in ${page}`).toBeGreaterThanOrEqual(0)
      from = at
    }
    expect(page).not.toContain('Nobody')
  })

  test('has the same bytes until visible content changes', async () => {
    await setIssuer(owner)
    const { id } = await allBudgetColumns()
    const first = (await printed(id)).bytes
    await server.api.services.database.transact(owner.organizationId, tx => setBudgetStatus(tx, id, 'SENT'))
    await owner.call(contract.updateBudget, { params: { id }, body: { internalNotes: 'Other' } })
    expect((await printed(id)).bytes.equals(first)).toBe(true)
    await owner.call(contract.updateBudget, { params: { id }, body: { notes: 'Otra' } })
    expect((await printed(id)).bytes.equals(first)).toBe(false)
  })

  test('works without issuer details and without items', async () => {
    const { id } = await makeBudget(owner, { sections: [], currency: 'jpy' })
    const [page] = await pagesOf((await printed(id)).bytes)
    expect(page).not.toContain('Emisor')
    expect(page).toMatch(/Cliente Client \d+ .* Subtotal 0 JPY Total 0 JPY/)
  })

  test('continues over several pages', async () => {
    const items = Array.from({ length: 120 }, (_, n) => ({ name: `Pieza ${n}`, unitPriceCents: n }))
    const { id } = await makeBudget(owner, { sections: [{ items }] })
    const pages = await pagesOf((await printed(id)).bytes)
    expect(pages.length).toBeGreaterThan(2)
    for (const page of pages.slice(0, -1))
      expect(page).toContain('Concepto Cantidad Precio Impuestos Importe')
    const all = [...pages.join(' ').matchAll(/Pieza (\d+)/g)].map(([, n]) => Number(n))
    expect(all).toEqual(items.map((_, n) => n))
  })
})

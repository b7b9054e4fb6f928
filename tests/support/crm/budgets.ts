import { createBudget } from '#contract/crm/budgets.ts'
import { type Issuer, updateIssuer } from '#contract/crm/issuer.ts'
import { uploadLogo } from '#contract/crm/letterhead.ts'
import type { Input, Reply } from '#contract/operation.ts'
import type { Client } from '#sdk/client.ts'
import { makePng } from '../pictures.ts'
import { formOf } from '../studio/files.ts'
import type { TestServer } from '../test-server.ts'
import { makeClient } from './leads-and-clients.ts'

export type MadeBudget = Reply<typeof createBudget>
type BudgetInput = Partial<Input<typeof createBudget>['body']>

let count = 0

/** One section with two items that have different taxes. */
export const someSections: NonNullable<BudgetInput['sections']> = [
  {
    title: 'Fase 1',
    description: 'Lo primero',
    items: [
      {
        name: 'Diseño',
        description: 'De todas las páginas',
        quantity: '2.5',
        unit: 'h',
        unitPriceCents: 6_000,
        taxes: [{ name: 'IVA', rate: '21' }],
      },
      { name: 'Libro', unitPriceCents: 2_000, taxes: [{ name: 'IVA', rate: '4' }] },
    ],
  },
]

/** Creates a draft with default values and its own client. */
export async function makeBudget(by: Client, input: BudgetInput = {}): Promise<MadeBudget> {
  const clientId = input.clientId ?? (await makeClient(by)).id
  const body = { title: `Budget ${++count}`, sections: someSections, ...input, clientId }
  return by.call(createBudget, { body })
}

/** A budget that counts as signed, without the work of signing it. */
export async function plantSignedBudget(
  server: TestServer,
  by: Client,
  input: BudgetInput = {},
): Promise<MadeBudget> {
  const budget = await makeBudget(by, input)
  await server.sql(`update budget set status = 'SIGNED', signed_at = now() where id = $1`, [budget.id])
  return budget
}

/** Issuer details with default values. */
export function anIssuer(input: Partial<Issuer> = {}): Issuer {
  return {
    legalName: 'Harbour Books SL',
    taxId: 'B87654321',
    address: 'Calle Mayor 1',
    city: 'Cádiz',
    postalCode: '11001',
    country: 'ES',
    email: 'office@harbour.test',
    phone: '956 000 000',
    currency: 'eur',
    ...input,
  }
}

/** Sets a logo; `by` needs ORG_MANAGE. */
export function setLogo(by: Client) {
  return by.call(uploadLogo, { form: formOf(['logo.png', makePng(30, 10)]) })
}

/** Sets the issuer details; `by` needs ORG_MANAGE. */
export function setIssuer(by: Client, input: Partial<Issuer> = {}) {
  return by.call(updateIssuer, { body: anIssuer(input) })
}

import { planIncludes } from '#contract/permissions.ts'
import type { Caller } from '#platform/caller.ts'
import { nowMs } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { act, callerFor } from '#platform/furnish.ts'
import type { DemoOrganization } from '#server/identity/index.ts'
import { lockInvoiceById } from './invoices/access.ts'
import { createOfUser } from './invoices/drafts/create-of-user.ts'
import { rectify } from './invoices/rectifying/rectify.ts'
import { pay } from './payments/mark-paid.ts'

const iva = [{ name: 'IVA', rate: '21' }]
const harbour = {
  ...{ name: 'Inés Duarte', company: 'Harbour Books', email: 'ines@harbour.example', taxId: 'B11223344' },
  ...{ address: 'Muelle Sur 4', city: 'Cádiz', postalCode: '11006', country: 'ES' },
}
const fjord = {
  ...{ name: 'Lena Øst', company: 'Fjordworks', email: 'lena@fjordworks.example' },
  ...{ address: 'Havnegata 1', city: 'Bergen', postalCode: '5003', country: 'NO' },
}
const subscription = (month: string) => ({
  ...{ isSubscription: true, currency: 'eur' },
  lines: [{ description: `Plan Estudio, ${month}`, unitPriceCents: 4_900, taxes: iva }],
})
type Sample = {
  body: object
  /** So many days ago it was issued, and should have been paid two weeks later. */
  daysAgo?: number
  paid?: { amount?: number; reference: string }
  isRectified?: true
}
// who is billed for what, and what came of it: the longest ago first, as numbers are in the order of days
const samples: Sample[] = [
  {
    body: { userId: 'harbour', user: harbour, ...subscription('septiembre') },
    daysAgo: 60,
    paid: { reference: 'Transferencia 0917' },
  },
  {
    body: { userId: 'harbour', ...subscription('octubre') },
    daysAgo: 30,
    paid: { amount: 20, reference: 'A cuenta' },
  },
  { body: { userId: 'harbour', ...subscription('noviembre') }, isRectified: true },
  {
    body: {
      ...{ userId: 'fjord', user: fjord, currency: 'eur' },
      lines: [
        { description: 'Migración de la biblioteca', quantity: '12.5', unitPriceCents: 6_000 },
        { description: 'Descuento de bienvenida', unitPriceCents: -5_000 },
      ],
    },
  },
  { body: { userId: 'fjord', ...subscription('noviembre'), issue: false } },
]

/** Invoices of the website's users in several states, where the plan includes finance. Whoever issues is known by then. */
export async function furnishBilling(tx: Tx, organization: DemoOrganization): Promise<void> {
  const { id, plan, people, applications } = organization
  const website = applications[1]
  if (!website || !planIncludes[plan].modules.includes('finance')) return
  const person = callerFor(id, people[0]!.id)
  const caller: Caller = { ...callerFor(id, ''), door: 'application', applicationId: website.id }
  for (const { body, daysAgo, paid, isRectified } of samples) {
    const made = await act(createOfUser, tx, caller, { body: { ...body, ...datedAgo(daysAgo) } })
    const params = { id: made.id }
    if (isRectified) await act(rectify, tx, person, { params, body: { reason: 'Precio equivocado' } })
    if (!paid) continue
    const invoice = (await lockInvoiceById(tx, made.id))!
    await pay(tx, person, invoice, { method: 'TRANSFER', ...paid }, {})
  }
}

function datedAgo(days: number | undefined): object {
  if (days === undefined) return {}
  const dayOf = (ago: number) => new Date(nowMs() - ago * 86_400_000).toISOString().slice(0, 10)
  return { issueDate: dayOf(days), dueDate: dayOf(days - 14) }
}

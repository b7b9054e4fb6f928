import { planIncludes } from '#contract/permissions.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { runOperation, seedCaller } from '#platform/http/seed.ts'
import { firstOf } from '#platform/required.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import type { DemoOrganization } from '#server/area.ts'
import * as billingContacts from './clients/billing-contacts/billing-contacts.ts'
import * as clients from './clients/clients.ts'
import * as issuer from './issuer/issuer.ts'
import { convert } from './leads/convert/convert.ts'
import { create } from './leads/create.ts'
import { disqualify } from './leads/disqualify.ts'
import { qualify } from './leads/qualify.ts'
import { move } from './leads/team/move.ts'
import { seedBudgets } from './signing/demo.ts'
import type { PdfStorageServices } from './signing/stored-pdf.ts'

type Step = { by: typeof move; body: object }
const moveTo = (status: string, reason?: string): Step => ({
  by: move,
  body: { status, ...(reason && { reason }) },
})
const qualifyStep: Step = { by: qualify, body: { reason: 'Budget and date are known', source: 'manual' } }

// each lead with the steps that follow its creation
const samples: { lead: object; steps: Step[] }[] = [
  {
    lead: {
      email: 'ines@harbour.example',
      firstName: 'Inés',
      lastName: 'Duarte',
      company: 'Harbour Books',
      source: 'website',
    },
    steps: [],
  },
  {
    lead: {
      phone: '+34 912 345 678',
      firstName: 'Bruno',
      source: 'telephone',
      notes: 'Calls back next month.',
    },
    steps: [],
  },
  {
    lead: {
      email: 'lena@fjordworks.example',
      firstName: 'Lena',
      lastName: 'Øst',
      company: 'Fjordworks',
      score: 35,
      temperature: 'COLD',
    },
    steps: [moveTo('CONTACTED')],
  },
  {
    lead: {
      email: 'kofi@palmandsons.example',
      firstName: 'Kofi',
      lastName: 'Mensah',
      company: 'Palm & Sons',
      score: 70,
      temperature: 'WARM',
    },
    steps: [qualifyStep],
  },
  {
    lead: {
      email: 'sara@vitrina.example',
      firstName: 'Sara',
      lastName: 'Vidal',
      company: 'Vitrina',
      stage: 'Offer sent',
      score: 85,
      temperature: 'HOT',
    },
    steps: [qualifyStep, moveTo('NEGOTIATING')],
  },
  {
    lead: { email: 'old@nowhere.example', firstName: 'Uma', lastName: 'Rao', source: 'bought list' },
    steps: [{ by: disqualify, body: { reason: 'The address does not exist any more', source: 'bounce' } }],
  },
  {
    lead: { email: 'piet@molenaar.example', firstName: 'Piet', lastName: 'Molenaar', company: 'Molenaar BV' },
    steps: [moveTo('CONTACTED'), moveTo('LOST', 'They build it themselves')],
  },
]

const issuerBody = {
  legalName: 'Acme Studio SL',
  taxId: 'B87654321',
  address: 'Calle Mayor 1',
  city: 'Madrid',
  postalCode: '28013',
  country: 'ES',
  email: 'office@acme.example',
  phone: '+34 910 000 000',
}
/** Seeds leads in all statuses, one of them converted, a client with billing contacts, and budgets. */
export function seedCrm(services: PdfStorageServices & { cipher: Cipher }) {
  return async (tx: Tx, { id, plan, people }: DemoOrganization): Promise<void> => {
    if (!planIncludes[plan].capabilities.includes('crm.leads')) return
    const caller: Caller = { ...seedCaller(id, firstOf(people).id), permissions: new Set(['CRM_NOTES']) }
    const lead = async (body: object) => {
      const made = await runOperation<{ lead: { id: string } }>(create, tx, caller, { body, services })
      return made.lead.id
    }
    for (const { lead: body, steps } of samples) {
      const params = { id: await lead(body) }
      for (const { by, body } of steps) await runOperation(by, tx, caller, { params, body, services })
    }
    const client = await runOperation(clients.create, tx, caller, {
      body: {
        name: 'Atelier Nord',
        taxId: 'B12345678',
        email: 'hello@ateliernord.example',
        city: 'Bilbao',
        country: 'ES',
      },
      services,
    })
    const contacts = [
      { name: 'Accounts', email: 'accounts@ateliernord.example', isMain: true },
      { name: 'Miren Agirre', email: 'miren@ateliernord.example' },
    ]
    for (const body of contacts)
      await runOperation(billingContacts.add, tx, caller, {
        params: { id: client.id },
        body,
        services,
      })
    await runOperation(issuer.update, tx, caller, { body: issuerBody, services })
    await seedBudgets(tx, caller, client.id, services)
    const won = {
      email: 'jon@ateliernord.example',
      firstName: 'Jon',
      lastName: 'Agirre',
      company: 'Atelier Nord',
    }
    await runOperation(convert, tx, caller, {
      params: { id: await lead(won) },
      body: {
        reason: 'Signed the offer for the new website',
        createOpportunity: true,
        targetClientId: client.id,
      },
      services,
    })
  }
}

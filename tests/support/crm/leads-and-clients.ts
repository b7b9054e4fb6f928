import { expect } from 'vitest'
import { createClient } from '#contract/crm/clients.ts'
import { createContact } from '#contract/crm/contacts.ts'
import { convertLead } from '#contract/crm/lead-moves.ts'
import { createLead } from '#contract/crm/leads.ts'
import type { LeadStatus } from '#contract/crm/shapes.ts'
import { eraseLead } from '#contract/crm/team.ts'
import type { Input, Operation, Reply } from '#contract/operation.ts'
import { newId } from '#platform/ids.ts'
import type { Client } from '#sdk/client.ts'
import { type LeadChangeRow, writeLeads } from '#server/crm/leads/clock/lead-clock.sql.ts'
import { lockLeads } from '#server/crm/leads/lead.access.ts'
import { withStatus } from '#server/crm/leads/lead.rules.ts'
import { only } from '../elements.ts'
import type { TestServer } from '../test-server.ts'

type LeadInput = Partial<Input<typeof createLead>['body']>
export type MadeLead = Reply<typeof createLead>['lead']

// a constant number of digits, so that lists by name are in the order of creation
let count = 100_000

/** Creates a lead with default values. */
export async function makeLead(by: Client, input: LeadInput = {}): Promise<MadeLead> {
  const body = { email: `lead-${++count}@example.test`, ...input }
  return (await by.call(createLead, { body })).lead
}

/** Sets any status directly, which no operation can do. */
export async function setStatus(
  server: TestServer,
  organizationId: string,
  id: string,
  status: LeadStatus,
  lostBy: 'DISQUALIFY' | 'TEAM' = 'TEAM',
): Promise<void> {
  await server.api.services.database.transact(organizationId, async tx => {
    const before = only(await lockLeads(tx, [id]))
    const after = withStatus(before, status, lostBy)
    const change: LeadChangeRow = {
      id: newId(),
      lead_id: id,
      action: 'move',
      changed: ['status'],
      source: null,
      reason: null,
      from_status: before.status,
      to_status: status,
      actor_id: null,
      actor_kind: 'SYSTEM',
    }
    await writeLeads(tx, [{ before: before, after, change }])
  })
}

/** Erases a lead at the request of the person. */
export function eraseLeadOf(by: Client, id: string) {
  return by.call(eraseLead, { params: { id }, body: { reason: 'Asked by letter' } })
}

/** The events of a lead in order, once the relay has numbered them; LEAD_UPDATED in the version with scores. */
export async function eventsOfLead(server: TestServer, leadId: string) {
  await server.relayed()
  return server.sql<{ name: string; actor_id: string | null; data: Record<string, unknown> }>(
    `select name, actor_id, data from event
     where data ->> 'leadId' = $1 and coalesce(about ->> 'part', 'whole') = 'whole' order by seq`,
    [leadId],
  )
}

/** Converts a lead with default values. */
export function convert(by: Client, id: string, input: Partial<Input<typeof convertLead>['body']> = {}) {
  return by.call(convertLead, { params: { id }, body: { reason: 'They signed the offer today', ...input } })
}

/** Creates a client with default values. */
export function makeClient(by: Client, input: Partial<Input<typeof createClient>['body']> = {}) {
  return by.call(createClient, { body: { name: `Client ${++count}`, ...input } })
}

/** Creates a contact with default values. */
export function makeContact(by: Client, input: Input<typeof createContact>['body'] = {}) {
  return by.call(createContact, { body: { firstName: `Contact ${++count}`, ...input } })
}

type Archived = { id: string; updatedAt: string; archivedAt: string | null }
type Archiving = Operation<{ params: { id: string } }, Archived>

/** Archives and restores a row, each twice: only the first call changes it. Runs `meanwhile` while it is archived. */
export async function expectArchiving(
  by: Client,
  thing: Archived,
  { archive, unarchive }: { archive: Archiving; unarchive: Archiving },
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const params = { id: thing.id }
  const archived = await by.call(archive, { params })
  expect(archived).toEqual({ ...thing, archivedAt: archived.updatedAt, updatedAt: archived.updatedAt })
  expect(await by.call(archive, { params })).toEqual(archived)
  await meanwhile()
  const back = await by.call(unarchive, { params })
  expect(back).toEqual({ ...thing, updatedAt: back.updatedAt })
  expect(await by.call(unarchive, { params })).toEqual(back)
}

/** The changed fields of each audit entry of a subject, oldest first. */
export async function auditedChanges(server: TestServer, id: string): Promise<string[][]> {
  await server.relayed()
  const rows = await server.sql<{ changed: string[] }>(
    'select changed from audit where subject = $1 order by seq',
    [id],
  )
  return rows.map(({ changed }) => changed)
}

/** Sends any operation on one row and returns the full response. */
export function sendTo(by: Client, operation: Operation, id: string, body: object = {}) {
  const at = operation as Operation<{ params: { id: string }; body: object }>
  return by.send(at, { params: { id }, ...(operation.body && { body }) })
}

import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** The counted limits of leads, each with its own calls per key and clock hour (CRM-11). */
export const leadCallKinds = ['reads', 'syncs', 'lookUps', 'writes'] as const
const CallsLeft = Type.Object({
  calls: OneOf(leadCallKinds),
  limit: Type.Integer({ description: 'Calls per key and clock hour' }),
  left: Type.Integer({ description: 'Calls left this hour with the key that has the fewest' }),
})
const LeadReader = Type.Object({
  applicationId: Id,
  name: Type.String(),
  isActive: Type.Boolean({ description: 'False if the application is disabled or has no valid key' }),
  lastSyncAt: Nullable({
    ...Time,
    description: 'The last call of GET /leads/sync; null: none yet',
  } as typeof Time),
  cursorAt: Nullable({
    ...Time,
    description: 'The time of the last change that it has read; null: none yet',
  } as typeof Time),
  changesBehind: Nullable(
    Type.Integer({
      description: `Leads that changed after its cursor, at most ${limits.leadChangesCounted}; null: it has not called yet`,
    }),
  ),
  behindSince: Nullable({
    ...Time,
    description:
      'The time of the first change that it has not read; null: it has read everything, or has not called yet',
  } as typeof Time),
  callsLeft: Type.Array(CallsLeft),
})

/** How far the applications that read leads have got (SYNC-12). */
export const LeadSyncStatus = Type.Object({
  lastChangeAt: Nullable({ ...Time, description: 'The last change of any lead' } as typeof Time),
  resetsAt: { ...Time, description: 'When the hour of the limits ends' } as typeof Time,
  applications: Type.Array(LeadReader, { description: 'By name' }),
})
export type LeadSyncStatus = Static<typeof LeadSyncStatus>

export const readLeadSyncStatus = operation('GET /leads/sync-status', {
  area: 'crm',
  module: 'crm',
  capability: 'crm.leads',
  auth: { session: { permission: 'CRM_VIEW' } },
  summary: 'Get how far each application has read the changes of leads',
  description:
    'Lists the applications with the scope crm:leads:read: their last sync, how far they are behind the last change, and the ' +
    `calls that their limits leave them this hour. Up to ${limits.leadReadersListed} applications.`,
  reply: LeadSyncStatus,
})

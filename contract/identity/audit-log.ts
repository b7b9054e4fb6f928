import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { FreeObject, Id, Nullable, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const area = 'org'
const auth = { session: { permission: 'ORG_MANAGE' } } as const

export const AuditEntry = Type.Object({
  seq: Type.Integer({ description: 'Position in the log of the organization, from 1 without gaps' }),
  id: Id,
  at: Time,
  actorId: Nullable(Type.String({ description: 'A person or an application; null for the server' })),
  actorName: Nullable(Type.String({ description: 'The current name of the person or application' })),
  auth: Type.String({ description: '`system` for the server' }),
  ip: Type.String(),
  client: Type.String(),
  requestId: Type.String(),
  operation: Type.String(),
  subject: Nullable(Type.String()),
  subjectName: Nullable(
    Type.String({ description: 'The current name of the subject if it is a person or an application' }),
  ),
  changed: Type.Array(Type.String()),
  detail: Nullable({
    ...FreeObject,
    description:
      'More about the operation: the person on whose behalf an application acted, the values before and after, or the failed check',
  } as typeof FreeObject),
  hash: Type.String({ description: 'SHA-256 over this entry and the previous hash' }),
})
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  actorId: Type.Optional(Id),
  subject: Type.Optional(Id),
  operation: Type.Optional(Text(limits.auditOperation, 1)),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
}

export const listAudit = operation('GET /audit', {
  area,
  summary: 'Read the audit log, newest first',
  description: 'For the next page, send the same filters with `before` = `nextBefore`, until it is null.',
  auth,
  query: {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: limits.pageLimit, default: limits.pageLimitDefault }),
    ),
    before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    ...filters,
  },
  reply: Type.Object({
    items: Type.Array(AuditEntry),
    nextBefore: Nullable(Type.Integer()),
  }),
})

export const exportAudit = operation('GET /audit/export', {
  area,
  summary: 'Export the audit log as a CSV file, newest first',
  description: `With the filters of the list; at most ${limits.auditExportRows} entries, so narrow the time for more. Values that a spreadsheet would read as a formula are prefixed with an apostrophe. The export is recorded in the audit log.`,
  auth,
  query: filters,
  responseType: 'text/csv',
  limit: { bucket: 'export-audit', times: limits.auditExportsPerHour, windowSeconds: 3600 },
})

export const verifyAudit = operation('GET /audit/verify', {
  area,
  summary: 'Recompute the hash chain of the whole audit log',
  description:
    '`brokenAt` is the first position that does not match: an entry was altered, removed or inserted, or the end is missing.',
  auth,
  reply: Type.Object({
    valid: Type.Boolean(),
    checked: Type.Integer({ description: 'Entries read' }),
    brokenAt: Nullable(Type.Integer()),
  }),
  limit: { bucket: 'verify-audit', times: limits.auditVerificationsPerHour, windowSeconds: 3600 },
})

import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Page, pageQuery, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const area = 'operator'
const auth = { operator: true } as const
const Seconds = Type.Number({ description: 'Seconds; 0 without one' })

export const ServerHealth = Type.Object({
  at: Time,
  version: Type.String(),
  relay: Type.Object({
    pending: Type.Integer({
      description: `Outbox rows that have no number yet; at most ${limits.overviewCount}`,
    }),
    oldestSeconds: Seconds,
    quarantined: Type.Integer({ description: 'Rows that the relay could not process' }),
    leases: Type.Integer({ description: 'Leases of the relay, which the workers share' }),
    freeLeases: Type.Integer({
      description:
        'More than 0 for longer than some seconds: no worker numbers the events of some organizations',
    }),
  }),
  webhooks: Type.Object({
    endpointsBehind: Type.Integer({ description: 'Endpoints with a delivery that is due' }),
    oldestDueSeconds: Seconds,
    shardsWithoutOwner: Type.Integer({ description: 'More than 0: no worker sends for them' }),
    pausedEndpoints: Type.Integer(),
    scheduledDeliveries: Type.Integer({
      description: `Retries and recoveries that wait for their time; at most ${limits.overviewCount}`,
    }),
  }),
  mails: Type.Object({
    queued: Type.Integer(),
    oldestAt: Nullable(Time),
    failing: Type.Integer({ description: 'Queued mails with a failed attempt' }),
    refused: Type.Integer({ description: `Given up in the last ${limits.refusedMailDays} days` }),
  }),
  payments: Type.Object({
    stuckCharges: Type.Integer({ description: 'Without a result for more than an hour' }),
    stuckRefunds: Type.Integer({ description: 'Requested more than an hour ago and not answered' }),
  }),
  jobs: Type.Array(
    Type.Object({
      name: Type.String(),
      ranAt: Time,
      succeededAt: Nullable(Time),
      failedAt: Nullable(Time),
      error: Nullable(Type.String({ description: 'Of the last failure' })),
    }),
    { description: 'Jobs of the workers, recorded at most once a minute' },
  ),
  disks: Type.Array(
    Type.Object({
      folder: OneOf(['DATA', 'FILES']),
      freeBytes: Type.Integer(),
      totalBytes: Type.Integer(),
    }),
    { description: 'Of the machine that answers; without FILES if the file store is a bucket' },
  ),
  database: Type.Object({
    bytes: Type.Integer(),
    connections: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() }), {
      description: 'By the kind of process that opened them',
    }),
  }),
})

export type ServerHealth = Static<typeof ServerHealth>

export const readHealth = operation('GET /health', {
  area,
  summary: 'Get the health of the server: queues, jobs, disks, database',
  description: 'Totals of all organizations; no organization and no person is named.',
  auth,
  reply: ServerHealth,
})

export const mailStates = ['QUEUED', 'RETRYING', 'REFUSED'] as const
const MailState = OneOf(mailStates)

export const OperatedMail = Type.Object({
  id: Id,
  organizationId: Id,
  kind: Type.String({ description: 'The kind of mail, such as `budget-signed-owner`' }),
  state: MailState,
  recipient: Nullable(
    Type.String({ description: 'First letter and domain, such as `s…@example.com`; null before an attempt' }),
  ),
  attempts: Type.Integer(),
  error: Nullable(Type.String({ description: 'Of the last attempt; addresses and links are removed' })),
  queuedAt: Time,
  nextAt: Nullable(Time),
  refusedAt: Nullable(Time),
})
export type OperatedMail = Static<typeof OperatedMail>

export const listOperatedMails = operation('GET /mails', {
  area,
  summary: 'List the mail queue and the refused mails, newest first',
  description:
    'Without subjects, texts and full addresses, because these belong to the organizations. Mails of invitations and password resets are sent at once and never queued.',
  auth,
  query: {
    kind: Type.Optional(Text(limits.mailKind, 1)),
    state: Type.Optional(MailState),
    ...pageQuery,
  },
  reply: Page(OperatedMail),
})

import type { Static } from 'typebox'
import { operation } from '../operation.ts'
import { Id, Nullable, OneOf, Time } from '../shapes.ts'
import { Type } from '../type.ts'
import { viewAccess } from './access.ts'

/** The first time stamp that covers a signature (TSP-4, TSP-5). */
export const SignatureTimeStamp = Type.Object({
  status: OneOf(['VALID', 'INVALID'], {
    description: 'VALID: it fits the stored signatures. INVALID: they, or the time stamp, were changed',
  }),
  stampedAt: Time,
  authority: Type.String({ description: 'The name in the certificate of the authority' }),
  policy: Type.String({ description: 'An object identifier' }),
  serialNumber: Type.String({ description: 'In hexadecimal digits' }),
  number: Type.Integer({ description: 'The last position of the chain that it covers' }),
  evidenceHash: Type.String({ description: 'The SHA-256 that was stamped: the evidence hash there' }),
})
export type SignatureTimeStamp = Static<typeof SignatureTimeStamp>

/** How far the signatures of an organization are stamped (TSP-6). */
export const TimeStampStatus = Type.Object({
  isOn: Type.Boolean({ description: 'The server has a time stamp authority' }),
  signatures: Type.Integer({ description: 'The number of recorded signatures' }),
  stamped: Type.Integer({ description: 'Those that a time stamp covers' }),
  lastStampedAt: Nullable(Time),
  authority: Nullable(Type.String({ description: 'Of the last time stamp' })),
  failedAt: Nullable(Time),
  problem: Nullable(
    OneOf(['NOT_REACHED', 'REFUSED', 'INVALID', 'CHAIN_BROKEN'], {
      description: 'Why the last attempt failed; null after a success',
    }),
  ),
})
export type TimeStampStatus = Static<typeof TimeStampStatus>

/** TSP-6. */
export const readTimeStampStatus = operation('GET /signatures/time-stamps', {
  ...viewAccess,
  summary: 'Retrieve how far the signatures have time stamps',
  reply: TimeStampStatus,
})

/** TSP-5. */
export const openTimeStamp = operation('GET /budgets/:budgetId/signatures/:sigId/time-stamp', {
  ...viewAccess,
  summary: 'Download the time stamp that covers a signature',
  description:
    'The reply of the authority (RFC 3161), a `.tsr` file. `openssl ts -verify -digest` with its `evidenceHash` checks it.',
  params: { budgetId: Id, sigId: Id },
  responseType: 'application/octet-stream',
  errors: ['BUDGET_NOT_FOUND', 'SIGNATURE_NOT_FOUND', 'TIME_STAMP_NOT_FOUND'],
})

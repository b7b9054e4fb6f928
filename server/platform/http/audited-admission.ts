import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuthKind, Operation } from '#contract/operation.ts'
import { recordOutbox } from '../events/audit.ts'
import { Refusal } from '../fail.ts'
import type { OutboxServices } from '../services.ts'
import { type AdmissionOptions, admission } from './admission.ts'
import { originOf } from './caller.ts'

/** Admission that records refusals, for operations that declare it. */
export function auditedAdmission(
  options: AdmissionOptions,
  auth: AuthKind,
  contract: Operation,
): ReturnType<typeof admission> {
  const admit = admission(options, auth, contract)
  if (!contract.auditsDenials) return admit
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    admit(request, reply, error => {
      if (!(error instanceof Refusal)) return done(error)
      auditDenial(options.services, contract, request, error).then(() => done(error), done)
    })
}

/**
 * Records in the audit log that a call was refused, and which check it failed, in a separate transaction.
 * Only for operations that declare it and for named checks.
 */
export async function auditDenial(
  { database, wakeUp }: OutboxServices,
  contract: Operation,
  request: FastifyRequest,
  { code, check }: Refusal,
): Promise<void> {
  if (!contract.auditsDenials || check === undefined) return
  const { caller } = request
  const { operation = '' } = request.routeOptions.config
  const detail = { refused: code, check }
  await database.transact(
    caller.organizationId,
    async () => {},
    tx => recordOutbox(tx, caller, originOf(request), operation, { ...subjectOf(request), detail }),
  )
  wakeUp?.changed()
}

/** The first id in the URL. It may not be validated yet. */
function subjectOf({ params }: FastifyRequest): { subject?: string } {
  const [first] = Object.values((params ?? {}) as Record<string, string>)
  return first !== undefined && /^[\w-]{1,64}$/.test(first) ? { subject: first } : {}
}

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Door, Endpoint } from '#contract/operation.ts'
import { recordChange } from '../events/audit.ts'
import { Refusal } from '../fail.ts'
import { admission, type Gate } from './admission.ts'
import { originOf } from './caller.ts'
import type { World } from './operation.ts'

/** Admission that records what it refuses, when the operation promises this. */
export function recordedAdmission(gate: Gate, door: Door, endpoint: Endpoint): ReturnType<typeof admission> {
  const admit = admission(gate, door, endpoint)
  if (!endpoint.recordsRefusals) return admit
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) =>
    admit(request, reply, error => {
      if (!(error instanceof Refusal)) return done(error)
      recordRefusal(gate.world, endpoint, request, error).then(() => done(error), done)
    })
}

/**
 * Writes into the audit log that a call was refused, and which check it failed, in a transaction of its own. Only of
 * operations that promise this, and of checks that have a name.
 */
export async function recordRefusal(
  { database, signal }: World,
  endpoint: Endpoint,
  request: FastifyRequest,
  { code, check }: Refusal,
): Promise<void> {
  if (!endpoint.recordsRefusals || check === undefined) return
  const { caller } = request
  const { operation = '' } = request.routeOptions.config
  const detail = { refused: code, check }
  await database.transact(
    caller.organizationId,
    async () => {},
    tx => recordChange(tx, caller, originOf(request), operation, { ...subjectOf(request), detail }),
  )
  signal?.changed()
}

/** The first id in the address. It may not have been looked at yet. */
function subjectOf({ params }: FastifyRequest): { subject?: string } {
  const [first] = Object.values((params ?? {}) as Record<string, string>)
  return first !== undefined && /^[\w-]{1,64}$/.test(first) ? { subject: first } : {}
}

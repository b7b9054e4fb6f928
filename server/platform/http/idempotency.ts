import { createHash } from 'node:crypto'
import { limits } from '#contract/limits.ts'
import { type Operation, pathAt } from '#contract/operation.ts'
import type { Tx } from '../data/db.ts'
import { later } from '../data/later.ts'
import { sql } from '../data/statement.ts'
import type { AuditSubject } from '../events/audit.ts'
import { fail } from '../fail.ts'
import type { Cipher } from '../security/cipher.ts'
import type { Caller } from './caller.ts'

const purpose = 'idempotent answer'

type IdempotencyKeyArgs = { caller: string; operation: string; key: string }

// waits for a transaction with the same key, and takes over a key that is older than a day
const claimKey = sql<{ claimed: boolean }, IdempotencyKeyArgs & { bodyHash: string }>(`
  insert into idempotency as i (organization_id, caller, operation, key, body_hash, created_at)
  values ($organization, $caller, $operation, $key, $bodyHash, now())
  on conflict (organization_id, caller, operation, key) do update
    set body_hash = excluded.body_hash, status = null, reply = null, created_at = excluded.created_at
    where i.organization_id = $organization
      and ${later('i.created_at', `interval '${limits.idempotencyHours} hours'`)} < excluded.created_at
  returning true as claimed
`)
const readReply = sql<{ body_hash: string; reply: string | null }, IdempotencyKeyArgs>(`
  select body_hash, reply from idempotency
  where organization_id = $organization and caller = $caller and operation = $operation and key = $key
`)
const storeReply = sql<
  never,
  IdempotencyKeyArgs & { status: number; subject: string | null; reply: string }
>(`
  update idempotency set status = $status, subject = $subject, reply = $reply
  where organization_id = $organization and caller = $caller and operation = $operation and key = $key
`)

// index idempotency_subject
const clearReplies = sql<never, { subject: string }>(`
  update idempotency i set reply = null where i.organization_id = $organization and i.subject = $subject and i.reply is not null
`)

/** The Idempotency-Key of a request, or undefined. Refuses one that is too long. */
export function parseIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || header === '' || header.length > limits.idempotencyKey) {
    fail('VALIDATION_ERROR', {
      details: [
        {
          path: 'Idempotency-Key',
          code: 'maxLength',
          message: `must have 1 to ${limits.idempotencyKey} characters`,
        },
      ],
    })
  }
  return header
}

/** A call with an Idempotency-Key, as it is stored. */
type IdempotentCall = { caller: string; operation: string; key: string; body: unknown; status: number }

/** The call of an operation. `body`: everything that makes two calls with the same key the same call. */
export function idempotentCall(
  { applicationId, personId, auth }: Pick<Caller, 'applicationId' | 'personId' | 'auth'>,
  contract: Operation,
  key: string,
  body: unknown,
): IdempotentCall {
  return {
    caller: applicationId ?? personId,
    operation: `${contract.method} ${pathAt(auth, contract)}`,
    key,
    body,
    status: contract.status,
  }
}

/**
 * Runs a change once per key. A repetition with the same body gets the first reply, with another body 422,
 * and a concurrent one waits. Failed changes are not stored. Replies are stored encrypted, bound to their
 * place, together with the subject of the change; see `forgetReplies`.
 */
export async function runOnce<Reply>(
  tx: Tx,
  cipher: Cipher,
  request: IdempotentCall,
  change: () => Promise<Reply>,
  auditSubject: AuditSubject = {},
): Promise<Reply> {
  const { caller, operation, key } = request
  const keyArgs: IdempotencyKeyArgs = { caller, operation, key }
  const sealContext = [tx.organizationId, caller, operation, key].join('/')
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(request.body ?? null))
    .digest('hex')
  if (!(await tx.first(claimKey, { ...keyArgs, bodyHash }))) {
    const first = await tx.first(readReply, keyArgs)
    if (!first || first.body_hash !== bodyHash || first.reply === null) fail('IDEMPOTENCY_KEY_REUSED')
    // the first call wrote the events and the audit entry; this one adds nothing
    tx.pending.isReplay = true
    return JSON.parse(cipher.reveal(purpose, first.reply, sealContext)) as Reply
  }
  const reply = await change()
  const sealedReply = cipher.hide(purpose, JSON.stringify(reply ?? null), sealContext)
  await tx.run(storeReply, {
    ...keyArgs,
    status: request.status,
    subject: auditSubject.subject ?? null,
    reply: sealedReply,
  })
  return reply
}

/**
 * Deletes the stored replies of requests whose object is being erased. Their keys stay used: a repetition is
 * refused, because it would create the object again.
 */
export async function forgetReplies(tx: Tx, subject: string): Promise<void> {
  await tx.run(clearReplies, { subject })
}

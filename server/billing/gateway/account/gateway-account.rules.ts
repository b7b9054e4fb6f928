import type { connectGateway } from '#contract/billing/gateway.ts'
import type { Input } from '#contract/operation.ts'
import type { GatewayAccount } from '#platform/adapters/gateway.ts'
import { fail } from '#platform/fail.ts'

type Body = Input<typeof connectGateway>['body']
/** The keys that an account has, or is to have. */
export type Keys = { secretKey: string | null; webhookSecret: string | null; publishableKey: string | null }

/** The keys of an account after a call that names some of them. Refuses what cannot belong together. */
export function keysAfter(before: (Keys & Pick<GatewayAccount, 'adapter'>) | undefined, body: Body): Keys {
  const kept = before?.adapter === body.adapter ? before : undefined
  const {
    secretKey = kept?.secretKey ?? null,
    webhookSecret = kept?.webhookSecret ?? null,
    publishableKey = kept?.publishableKey ?? null,
  } = body
  if (body.adapter === 'sandbox') {
    if (secretKey !== null) refuse('secretKey', 'unknown', 'the sandbox has no keys')
    if (publishableKey !== null) refuse('publishableKey', 'unknown', 'the sandbox has no keys')
  } else {
    if (secretKey === null) refuse('secretKey', 'required', 'is needed to open the account')
    if (publishableKey !== null && isTestKey(publishableKey) !== isTestKey(secretKey))
      refuse('publishableKey', 'mode', 'is of the other mode, test or live, than the secret key')
  }
  return { secretKey, webhookSecret, publishableKey }
}

/** Whether a key moves no real money. */
export function isTestKey(key: string | null): boolean {
  return key === null || /^.k_test_/.test(key)
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

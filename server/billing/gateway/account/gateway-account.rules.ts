import type { connectGateway } from '#contract/billing/gateway.ts'
import type { Input } from '#contract/operation.ts'
import type { GatewayCredentials } from '#platform/adapters/gateway.ts'
import { fail } from '#platform/fail.ts'

type Body = Input<typeof connectGateway>['body']
export type AccountKeys = {
  secretKey: string | null
  webhookSecret: string | null
  publishableKey: string | null
}

/** Merges the keys of a request into the stored ones. Refuses keys that do not belong together. */
export function mergeKeys(
  before: (AccountKeys & Pick<GatewayCredentials, 'adapter'>) | undefined,
  body: Body,
): AccountKeys {
  const current = before?.adapter === body.adapter ? before : undefined
  const {
    secretKey = current?.secretKey ?? null,
    webhookSecret = current?.webhookSecret ?? null,
    publishableKey = current?.publishableKey ?? null,
  } = body
  if (body.adapter === 'sandbox') {
    if (secretKey !== null) refuse('secretKey', 'unknown', 'the sandbox has no keys')
    if (publishableKey !== null) refuse('publishableKey', 'unknown', 'the sandbox has no keys')
  } else {
    if (secretKey === null) refuse('secretKey', 'required', 'is required to open the account')
    if (publishableKey !== null && isTestKey(publishableKey) !== isTestKey(secretKey))
      refuse('publishableKey', 'mode', 'must have the same mode (test or live) as the secret key')
  }
  return { secretKey, webhookSecret, publishableKey }
}

export function isTestKey(key: string | null): boolean {
  return key === null || /^.k_test_/.test(key)
}

function refuse(path: string, code: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code, message }] })
}

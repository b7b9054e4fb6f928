import { GatewayMissing, GatewayRefused, GatewayUnknown } from '#platform/adapters/gateway.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'

/** Asks a gateway for somebody who waits: tells them what it refuses, and that it does not answer. */
export async function asked<Answer>(answer: Promise<Answer>, path: string): Promise<Answer> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof GatewayMissing) fail('GATEWAY_REFUSED', { details: [missing(path)] })
    if (error instanceof GatewayRefused) {
      const { code, message } = error.failure
      fail('GATEWAY_REFUSED', {
        details: [{ path, code: code ?? 'refused', message: message ?? 'was refused' }],
      })
    }
    if (error instanceof GatewayUnknown) fail('GATEWAY_NOT_REACHED')
    throw error
  }
}

function missing(path: string): ErrorDetail {
  return { path, code: 'resource_missing', message: 'the gateway does not have it any more' }
}

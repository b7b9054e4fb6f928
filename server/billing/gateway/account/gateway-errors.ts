import { GatewayMissing, GatewayRefused, GatewayUnknown } from '#platform/adapters/gateway.ts'
import { type ErrorDetail, fail } from '#platform/fail.ts'

/** Turns gateway errors into refusals for a caller who waits for the result. */
export async function refusingGatewayErrors<Answer>(answer: Promise<Answer>, path: string): Promise<Answer> {
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
  return { path, code: 'resource_missing', message: 'no longer exists at the gateway' }
}

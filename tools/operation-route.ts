import type { Operation } from '#contract/operation.ts'

/** The route of an operation, which is all that a client needs to call it; see contract/route.ts. */
export function routeOf(operation: Operation): object {
  const { method, path, area, auth, status, alternateReply, isIdempotent, responseType } = operation
  return {
    method,
    path,
    area,
    auth,
    // a stream has no reply because it does not end
    ...(responseType !== 'text/event-stream' && { status }),
    ...(isIdempotent && { isIdempotent }),
    ...(alternateReply && { alternateReply: { status: alternateReply.status } }),
  }
}

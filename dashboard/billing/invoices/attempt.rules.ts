/**
 * Whether a refusal with this status says that nothing was charged or refunded by the request. A server that failed and
 * a lost connection, which has no status, leave open what happened.
 */
export function isFinalRefusal(status: number | undefined): boolean {
  return status !== undefined && status < 500
}

import { scrubContext } from '../scrub/context.ts'
import type { CustomSecretNames } from '../scrub/secret-keys.ts'
import { scrubText } from '../scrub/text.ts'

/** The unscrubbed fields of a report that its group does not show. */
export type ReportDetails = {
  readonly stack?: string | undefined
  readonly userId?: string | undefined
  readonly requestId?: string | undefined
  readonly context?: Record<string, unknown> | undefined
  /** Secret field names of the organization. */
  readonly secretNames?: CustomSecretNames | undefined
}
type DisplayedFields = {
  readonly message: string
  readonly severity: string
  readonly file: string | null
  readonly line: number | null
  readonly function: string | null
  readonly endpoint: string | null
  readonly method: string | null
}

/** The stored JSON of a sample, without secrets. */
export function toSampleJson({
  message,
  severity,
  file,
  line,
  function: name,
  endpoint,
  method,
  details,
}: DisplayedFields & { details: ReportDetails }): string {
  const { stack, userId, requestId, context, secretNames } = details
  return JSON.stringify({
    message,
    severity,
    file,
    line,
    function: name,
    endpoint,
    method,
    stack: stack === undefined ? null : scrubText(stack, secretNames),
    userId: userId === undefined ? null : scrubText(userId, secretNames),
    requestId: requestId === undefined ? null : scrubText(requestId, secretNames),
    context: context === undefined ? null : scrubContext(context, secretNames),
  })
}

import type { MailKind } from '#platform/jobs/mail-queue.ts'
import { mailedScopeRequest } from './scope-request.sql.ts'

/** Informs the person who requested a critical scope about the answer (SCP-11). */
export const scopeRequestMail: MailKind<{ publicUrl: string }, { requestId: string }> = {
  name: 'scope-request-answered',
  async compose({ publicUrl }, db, { requestId }) {
    const request = await mailedScopeRequest(db, requestId)
    if (!request) return undefined
    const name = request.application_name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    const decision = request.status === 'GRANTED' ? 'granted' : 'refused'
    return {
      to: request.email,
      subject: `The scope ${request.scope} was ${decision} for ${name}`,
      text: `The operators of ${publicUrl} ${decision} the scope ${request.scope}
that you requested for the application ${name}. Their reason:

${request.answer ?? ''}

You get this mail because you requested the scope.
`,
    }
  },
}

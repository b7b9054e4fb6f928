import type { MailMessage } from '#platform/adapters/mail.ts'
import type { MailKind } from '#platform/jobs/mail-queue.ts'
import type { Language } from '#platform/language.ts'
import { mailedScopeRequest } from './scope-request.sql.ts'

/** Informs the person who requested a critical scope about the answer, in their language (SCP-11). */
export const scopeRequestMail: MailKind<{ publicUrl: string }, { requestId: string }> = {
  name: 'scope-request-answered',
  async compose({ publicUrl }, db, { requestId }) {
    const request = await mailedScopeRequest(db, requestId)
    if (!request) return undefined
    const { email, language, scope, status, answer } = request
    const application = request.application_name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    const isGranted = status === 'GRANTED'
    return {
      to: email,
      ...texts[language ?? 'en']({ application, scope, isGranted, reason: answer ?? '', publicUrl }),
    }
  },
}

type Answer = { application: string; scope: string; isGranted: boolean; reason: string; publicUrl: string }
const texts: Record<Language, (answer: Answer) => Pick<MailMessage, 'subject' | 'text'>> = {
  en: ({ application, scope, isGranted, reason, publicUrl }) => {
    const decision = isGranted ? 'granted' : 'refused'
    return {
      subject: `The scope ${scope} was ${decision} for ${application}`,
      text: `The operators of ${publicUrl} ${decision} the scope ${scope}
that you requested for the application ${application}. Their reason:

${reason}

You get this mail because you requested the scope.
`,
    }
  },
  es: ({ application, scope, isGranted, reason, publicUrl }) => {
    const decision = isGranted ? 'concedido' : 'denegado'
    return {
      subject: `Se ha ${decision} el permiso ${scope} a ${application}`,
      text: `Los operadores de ${publicUrl} han ${decision} el permiso ${scope}
que pediste para la aplicación ${application}. Su motivo:

${reason}

Recibes este correo porque pediste el permiso.
`,
    }
  },
}

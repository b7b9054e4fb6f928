import { requestMailKinds } from './signature-requests/request-mails.ts'
import { signingMailKinds } from './signing/mails.ts'
import { signingLinkMail } from './signing/send.ts'

/** The mails of customer relations that a worker sends. */
export const crmMailKinds = [...signingMailKinds, signingLinkMail, ...requestMailKinds]

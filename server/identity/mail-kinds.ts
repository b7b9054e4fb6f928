import { invitationMail } from './invitations/invitation-mail.ts'
import { passwordResetMail } from './sign-in/reset-mail.ts'

/** The mails of this area that a worker repeats. */
export const identityMailKinds = [invitationMail, passwordResetMail]

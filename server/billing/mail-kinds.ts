import { reminderMail } from './reminders/reminder-mail.ts'

/** The mails of billing that a worker sends. */
export const billingMailKinds = [reminderMail]

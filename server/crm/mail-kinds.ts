import type { MailKind, MailKinds } from '#platform/mail-queue/mail-queue.ts'
import { type LetterServices, signingMailKinds } from './signing/mails.ts'
import { linkToSigner } from './signing/send.ts'

/** The letters of customer relations that a worker sends. */
export const crmMailKinds: MailKinds<LetterServices> = new Map(
  [...signingMailKinds, linkToSigner].map((kind: MailKind<LetterServices, never>) => [kind.name, kind]),
)

import { signingMailKinds } from './signing/mails.ts'
import { linkToSigner } from './signing/send.ts'

/** The letters of customer relations that a worker sends. */
export const crmMailKinds = [...signingMailKinds, linkToSigner]

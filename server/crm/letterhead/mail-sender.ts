import type { Letterhead } from '#contract/crm/letterhead.ts'
import { type Files, StoreUnavailable } from '#platform/adapters/files.ts'
import type { Db } from '#platform/data/db.ts'
import type { MailSender } from '#platform/mail-layout.ts'
import { readLogo } from './logo.ts'
import { readMailSender } from './mail-sender.sql.ts'

/** The organization as the sender of mails to its clients (ISS-4). It has no logo while the file store does not return it. */
export async function mailSenderOf(files: Files, db: Db): Promise<MailSender> {
  const { name, reply_to, accent_color, footer, logo } = await readMailSender(db)
  return {
    name,
    replyTo: reply_to,
    accentColor: accent_color,
    footer,
    logo: logo && (await readIfStored(files, logo)),
  }
}

async function readIfStored(
  files: Files,
  logo: NonNullable<Letterhead['logo']>,
): Promise<MailSender['logo']> {
  try {
    return { bytes: await readLogo(files, logo), contentType: logo.contentType }
  } catch (error) {
    // a mail that its reader waits for matters more than a picture
    if (error instanceof StoreUnavailable) return null
    throw error
  }
}

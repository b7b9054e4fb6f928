import type { MailMessage } from '#platform/adapters/mail.ts'

export const resetLinkMinutes = 60

/**
 * The mail with the link to choose a new password. The token stands behind `#`, which browsers keep to
 * themselves: no proxy log and no referrer shows it.
 */
export function resetMail(
  person: { name: string; email: string },
  publicUrl: string,
  token: string,
): MailMessage {
  const link = `${publicUrl}/reset-password#token=${encodeURIComponent(token)}`
  return {
    to: person.email,
    subject: 'Choose a new password',
    text: `Hello ${person.name},

somebody, probably you, asked for a new password for ${publicUrl}.
Open this link within ${resetLinkMinutes} minutes to choose one:

${link}

It works once. Choosing a new password signs you out everywhere and ends your personal access tokens:
tools that use one need a new one.
If you did not ask for it, ignore this mail: nothing changes.
`,
  }
}

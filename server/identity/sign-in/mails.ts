import type { MailMessage } from '#platform/adapters/mail.ts'

export const resetLinkMinutes = 60

/**
 * The mail with the link to reset a password. The token is in the fragment (`#`), which browsers do not send,
 * so that no proxy log or referrer shows it.
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

somebody, probably you, requested a new password for ${publicUrl}.
Open this link within ${resetLinkMinutes} minutes to choose one:

${link}

The link works once. A new password signs you out everywhere and revokes your personal access tokens:
tools that use one need a new token.
If you did not request it, ignore this mail.
`,
  }
}

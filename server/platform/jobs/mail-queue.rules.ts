import type { MailMessage } from '../adapters/mail.ts'

/** The reason why a mail was not sent, without anything that identifies a person. */
export type MailProblem = { recipient: string | null; error: string }

/**
 * The first letter and the domain of the first recipient: operators see where mail fails and not whose it is
 * (OPR-13).
 */
export function recipientHint({ to }: Pick<MailMessage, 'to'>): string | null {
  const [first = ''] = [to].flat()
  return first === '' ? null : masked(first)
}

/** The reason of a failure for operators. A mail server may repeat addresses and links in it. */
export function mailProblem(error: unknown, message: MailMessage | undefined): MailProblem {
  const text = error instanceof Error ? error.message : String(error)
  const safe = text
    .replaceAll(/https?:\/\/\S+/g, '…')
    .replaceAll(/[^\s<>"'()]+@[^\s<>"'()]+/g, masked)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
  return { recipient: message ? recipientHint(message) : null, error: safe.slice(0, 300) }
}

function masked(address: string): string {
  const [name = '', domain = ''] = address.split(/@(?=[^@]*$)/)
  return `${[...name][0] ?? ''}…@${domain}`
}

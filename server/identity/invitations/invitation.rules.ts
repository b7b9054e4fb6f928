import { emailPattern } from '#contract/shapes.ts'

type Result = 'INVITED' | 'INVITED_AGAIN' | 'ALREADY_MEMBER' | 'DUPLICATE' | 'INVALID'
export type PlannedInvitation = { email: string; result: Result }
export type KnownAddress = { email: string; isMember: boolean }

const pattern = new RegExp(emailPattern, 'u')

/** As addresses are stored. */
export function addressOf(email: string): string {
  return email.trim().toLowerCase()
}

/** The different valid addresses among some texts. */
export function addressesIn(emails: readonly string[]): string[] {
  return [...new Set(emails.filter(isAddress).map(addressOf))]
}

/** The result for each address of a bulk invitation, in their order (MBR-14). */
export function planInvitations(
  emails: readonly string[],
  known: readonly KnownAddress[],
): PlannedInvitation[] {
  const members = new Set(known.filter(({ isMember }) => isMember).map(({ email }) => email))
  const invited = new Set(known.map(({ email }) => email))
  const seen = new Set<string>()
  return emails.map(email => {
    const address = addressOf(email)
    if (!isAddress(email)) return { email, result: 'INVALID' }
    if (seen.has(address)) return { email, result: 'DUPLICATE' }
    seen.add(address)
    if (members.has(address)) return { email, result: 'ALREADY_MEMBER' }
    return { email, result: invited.has(address) ? 'INVITED_AGAIN' : 'INVITED' }
  })
}

/** Whether the address gets an invitation. */
export function isInvited({ result }: PlannedInvitation): boolean {
  return result === 'INVITED' || result === 'INVITED_AGAIN'
}

function isAddress(email: string): boolean {
  return pattern.test(email.trim())
}

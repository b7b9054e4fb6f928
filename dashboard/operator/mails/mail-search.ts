import { mailStates } from '#contract/identity/health.ts'

export type MailState = (typeof mailStates)[number]

/** The filters of the list of mails, and the mail whose details are open. */
export type MailSearch = { kind?: string; state?: MailState; open?: string }

export function mailSearchOf({ kind, state, open }: Record<string, unknown>): MailSearch {
  const known = mailStates.find(one => one === state)
  return {
    ...(typeof kind === 'string' && kind !== '' && { kind }),
    ...(known !== undefined && { state: known }),
    ...(typeof open === 'string' && { open }),
  }
}

/** The filters of the server. */
export function mailQueryOf({ kind, state }: MailSearch): Omit<MailSearch, 'open'> {
  return { ...(kind !== undefined && { kind }), ...(state !== undefined && { state }) }
}

import { wordsOf } from '#platform/fold.ts'
import type { PersonOfClient } from '#platform/personal-data.ts'
import { nameOf } from '../convert/convert.rules.ts'
import type { LeadRow } from '../lead.row.ts'

/**
 * Whether a name is that of the person: it contains every word of their first and last name, in any order. Of a person with
 * one known name, it is exactly that name.
 */
export function isNameOf(name: string, { first_name, last_name }: PersonFields): boolean {
  const words = wordsOf(name)
  const own = [first_name, last_name].flatMap(part => wordsOf(part ?? ''))
  const isWhole = first_name !== null && last_name !== null
  return own.length > 0 && own.every(word => words.includes(word)) && (isWhole || words.length === own.length)
}

type PersonFields = Pick<LeadRow, 'first_name' | 'last_name' | 'company' | 'email' | 'phone'>

/** Whether a title contains the name, e-mail or telephone of the person as whole words. */
export function namesPerson(title: string, lead: PersonFields): boolean {
  const { first_name, last_name, email, phone } = lead
  return [nameOf(lead), first_name, last_name, email, phone].some(
    name => name !== null && wordText(name).length > 2 && wordText(title).includes(wordText(name)),
  )
}

/** The person of a lead, for the areas that know the client; undefined without a client. */
export function personOf(
  lead: Pick<LeadRow, 'client_id'> & PersonFields,
  addresses: readonly string[],
): PersonOfClient | undefined {
  if (lead.client_id === null) return undefined
  return { clientId: lead.client_id, addresses, isNamed: text => isNameOf(text, lead) }
}

function wordText(text: string): string {
  return ` ${wordsOf(text).join(' ')} `
}

import { wordsOf } from '#platform/fold.ts'
import { nameOf } from '../convert/convert.rules.ts'
import type { LeadRow } from '../lead.row.ts'

type PersonFields = Pick<LeadRow, 'first_name' | 'last_name' | 'company' | 'email' | 'phone'>

/** Whether a title names the person: it was made of the lead, or has something of it as whole words. */
export function namesPerson(title: string, lead: PersonFields): boolean {
  const { first_name, last_name, email, phone } = lead
  return [nameOf(lead), first_name, last_name, email, phone].some(
    name => name !== null && wordText(name).length > 2 && wordText(title).includes(wordText(name)),
  )
}

function wordText(text: string): string {
  return ` ${wordsOf(text).join(' ')} `
}

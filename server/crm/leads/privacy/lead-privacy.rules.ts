import { wordsOf } from '#platform/fold.ts'
import { nameOf } from '../convert/convert.rules.ts'
import type { LeadRow } from '../lead.row.ts'

type PersonFields = Pick<LeadRow, 'first_name' | 'last_name' | 'company' | 'email' | 'phone'>

/** Whether a title contains the name, e-mail or telephone of the person as whole words. */
export function namesPerson(title: string, lead: PersonFields): boolean {
  const { first_name, last_name, email, phone } = lead
  return [nameOf(lead), first_name, last_name, email, phone].some(
    name => name !== null && wordText(name).length > 2 && wordText(title).includes(wordText(name)),
  )
}

function wordText(text: string): string {
  return ` ${wordsOf(text).join(' ')} `
}

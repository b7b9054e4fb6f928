import { createInvoiceOfUser } from '#contract/billing/invoices.ts'
import { fail } from '#platform/fail.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockActiveClient } from '#server/crm/index.ts'
import { userFor } from '../../external-users/bridge.ts'
import { wholeInvoiceOf } from '../beside.ts'
import { insertDraft } from '../invoice.sql.ts'
import { issueDraft } from '../issuing/issue-draft.ts'
import { currencyOf } from './currency.ts'
import { blankDraft, changedFields, withFields } from './draft.rules.ts'

/** Creates an invoice for a user and issues it: all of it happens or nothing (INV-8). */
export const createOfUser = command(createInvoiceOfUser, async ({ tx, caller, body, audit }) => {
  const { userId, user, issue = true, issueDate, ...given } = body
  if (!issue && issueDate !== undefined)
    refuse('issueDate', 'is for one that is issued now: say it when you issue it')
  const applicationId = caller.applicationId!
  const blank = blankDraft({
    id: newId(),
    client_id: '',
    currency: '',
    created_by: null,
    application_id: applicationId,
    external_user_id: userId,
  })
  // what is wrong by itself is told before anybody is looked for
  const wanted = withFields(blank, given)
  const external = await userFor(tx, applicationId, userId, user)
  const [client, currency] = await Promise.all([
    lockActiveClient(tx, external.client_id),
    given.currency ?? currencyOf(tx),
  ])
  const draft = await insertDraft(tx, { ...wanted, client_id: client.id, currency })
  audit(draft.id, [...changedFields(null, draft), ...(issue ? ['number'] : [])])
  return wholeInvoiceOf(tx, caller, issue ? await issueDraft(tx, caller, draft, issueDate) : draft)
})

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'unexpected', message }] })
}

import { createInvoiceOfUser } from '#contract/billing/invoices.ts'
import { fail } from '#platform/fail.ts'
import { applicationOf } from '#platform/http/caller.ts'
import { command } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockActiveClient } from '#server/crm/index.ts'
import { findOrCreateUser } from '../../external-users/find-or-create-user.ts'
import { insertDraft } from '../invoice.sql.ts'
import { issueDraft } from '../issuing/issue-draft.ts'
import { showWholeInvoice } from '../show-invoice.ts'
import { defaultCurrency } from './default-currency.ts'
import { blankDraft, changedDraftFields, withDraftFields } from './draft.rules.ts'

/** Creates an invoice for a user and issues it, in one transaction (INV-8). */
export const createOfUser = command(createInvoiceOfUser, async ({ tx, caller, body, audit }) => {
  const { userId, user, issue = true, issueDate, ...input } = body
  if (!issue && issueDate !== undefined)
    refuse('issueDate', 'is only for an invoice that is issued now: send it when you issue the draft')
  const applicationId = applicationOf(caller)
  const blank = blankDraft({
    id: newId(),
    client_id: '',
    currency: '',
    created_by: null,
    application_id: applicationId,
    external_user_id: userId,
  })
  // validate the request before anything is read
  const wanted = withDraftFields(blank, input)
  const external = await findOrCreateUser(tx, applicationId, userId, user)
  const [client, currency] = await tx.inOrder(
    () => lockActiveClient(tx, external.client_id),
    () => input.currency ?? defaultCurrency(tx),
  )
  const draft = await insertDraft(tx, { ...wanted, client_id: client.id, currency })
  audit(draft.id, [...changedDraftFields(null, draft), ...(issue ? ['number'] : [])])
  return showWholeInvoice(tx, caller, issue ? await issueDraft(tx, caller, draft, issueDate) : draft)
})

function refuse(path: string, message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path, code: 'unexpected', message }] })
}

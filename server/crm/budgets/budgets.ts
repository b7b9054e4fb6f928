import * as contract from '#contract/crm/budgets.ts'
import { now } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { lockActiveClient } from '../clients/client.access.ts'
import { issuerOf } from '../issuer/issuer.sql.ts'
import { normalizeTextOrNull } from '../normalize-text.ts'
import { listPageOf } from '../paged-list.sql.ts'
import { lockReferences } from '../references.sql.ts'
import { searchedText } from '../search-terms.ts'
import { revokeLinks, settleBudget } from '../signing/settle-budget.ts'
import { budgetFor, lockBudget } from './budget.access.ts'
import { showBudget, showListedBudget } from './budget.json.ts'
import {
  assertHasItems,
  assertMayChange,
  assertUnchangedSince,
  blankBudget,
  budgetCurrency,
  changedFields,
  copyBudget,
  isOpen,
  normalizeOffer,
  withFields,
} from './budget.rules.ts'
import { insertBudget, insertBudgetWithCode, listBudgets, setBudget } from './budget.sql.ts'

const today = () => now().toISOString().slice(0, 10)

export const create = command(contract.createBudget, async ({ tx, caller, body, audit }) => {
  const offer = normalizeOffer(body)
  const code = normalizeTextOrNull(body.code)
  const blank = { id: newId(), issue_date: today(), currency: 'eur', created_by: caller.personId }
  const draft = withFields(blankBudget(blank), body, offer)
  const [issuer] = await tx.inOrder(
    () => issuerOf(tx),
    () => lockReferences(tx, body),
  )
  const offered = { ...draft, currency: budgetCurrency(body.currency, issuer) }
  const budget =
    code === null
      ? await insertBudget(tx, offered)
      : ((await insertBudgetWithCode(tx, offered, code)) ?? fail('BUDGET_CODE_TAKEN'))
  audit(budget.id, [...(code === null ? [] : ['code']), ...changedFields(null, budget)])
  return showBudget(budget)
})

export const list = query(contract.listBudgets, async ({ db, query }) => {
  const { status = null, clientId = null, ids } = query
  const { limit, offset } = listPageOf(query)
  const search = searchedText(query.search)
  const { rows, total } = await listBudgets(db, { status, clientId, ids, search }, { limit, offset })
  return { items: rows.map(showListedBudget), total, limit, offset }
})

export const read = query(contract.readBudget, async ({ db, params }) =>
  showBudget(await budgetFor(db, params.id)),
)

/** Unchanged references are not checked: the member may have left, or the client may be archived since. */
export const update = command(contract.updateBudget, async ({ tx, caller, params, body, audit }) => {
  const { expectedUpdatedAt, ...draft } = body
  if (Object.keys(draft).length === 0) fail('NOTHING_TO_CHANGE')
  const offer = normalizeOffer(draft)
  const before = await lockBudget(tx, params.id)
  const after = withFields(before, draft, offer)
  const changed = changedFields(before, after)
  assertMayChange(before, changed)
  assertUnchangedSince(before, expectedUpdatedAt)
  if (before.status === 'SENT') assertHasItems(after)
  audit(before.id, changed)
  if (changed.length === 0) return showBudget(before)
  await lockReferences(tx, {
    clientId: after.client_id === before.client_id ? null : after.client_id,
    contactId: after.contact_id === before.contact_id ? null : after.contact_id,
    ownerId: after.owner_id === before.owner_id ? null : after.owner_id,
    opportunityId: after.opportunity_id === before.opportunity_id ? null : after.opportunity_id,
  })
  // a signer of the previous client must not sign for the new one
  if (after.client_id !== before.client_id)
    await revokeLinks(tx, before.id, caller.personId, { status: 'STOPPED', stopReason: 'CLIENT_CHANGED' })
  return showBudget(await setBudget(tx, after))
})

export const duplicate = command(contract.duplicateBudget, async ({ tx, caller, params, audit }) => {
  const original = await budgetFor(tx, params.id)
  await lockActiveClient(tx, original.client_id)
  const again = { id: newId(), issue_date: today(), created_by: caller.personId }
  const budget = await insertBudget(tx, copyBudget(original, again))
  audit(budget.id, changedFields(null, budget))
  return showBudget(budget)
})

export const cancel = command(contract.cancelBudget, async ({ tx, caller, params, audit }) => {
  const budget = await lockBudget(tx, params.id)
  const isDone = budget.status === 'CANCELLED'
  audit(budget.id, isDone ? [] : ['status'])
  if (isDone) return showBudget(budget)
  if (!isOpen(budget.status)) fail('BUDGET_SETTLED')
  return showBudget(await settleBudget(tx, budget.id, { status: 'CANCELLED', actorId: caller.personId }))
})

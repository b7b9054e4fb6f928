import type { createInvoice, updateInvoice } from '#contract/billing/invoices.ts'
import type { Input } from '#contract/operation.ts'
import { changedFieldNames } from '#platform/changed-fields.ts'
import { fail } from '#platform/fail.ts'
import { amountsOf } from '../amounts.ts'
import type { InvoiceRow } from '../invoice.row.ts'
import type { Draft, NewDraft } from '../invoice.sql.ts'

type DraftFields = Partial<
  Omit<Input<typeof createInvoice>['body'] & Input<typeof updateInvoice>['body'], 'clientId'>
>

/** The draft with the given fields and the amounts computed from them. Refuses VALIDATION_ERROR. */
export function withDraftFields<Before extends Draft & Pick<InvoiceRow, 'is_rectifying'>>(
  draft: Before,
  input: DraftFields,
): Before {
  const amounts = input.lines && amountsOf(input.lines)
  if (amounts && amounts.total_cents < 0 && !draft.is_rectifying)
    fail('VALIDATION_ERROR', {
      details: [{ path: 'lines', code: 'negative', message: 'must not have a negative total' }],
    })
  const orBefore = <Value>(value: Value | undefined, before: Value) => (value === undefined ? before : value)
  return {
    ...draft,
    ...amounts,
    currency: input.currency ?? draft.currency,
    due_date: orBefore(input.dueDate, draft.due_date),
    is_subscription: input.isSubscription ?? draft.is_subscription,
    notes: orBefore(normalizeText(input.notes), draft.notes),
    internal_notes: orBefore(normalizeText(input.internalNotes), draft.internal_notes),
    rectifying_reason: orBefore(normalizeText(input.rectifyingReason), draft.rectifying_reason),
  }
}

/** The fields that differ between two states of a draft; for a new draft the fields that it has. */
export function changedDraftFields(before: Draft | null, after: Draft): string[] {
  return changedFieldNames(
    {
      client_id: 'clientId',
      lines: 'lines',
      currency: 'currency',
      due_date: 'dueDate',
      is_subscription: 'isSubscription',
      notes: 'notes',
      internal_notes: 'internalNotes',
      rectifying_reason: 'rectifyingReason',
    },
    before,
    after,
  )
}

export function blankDraft(
  of: Pick<NewDraft, 'id' | 'client_id' | 'currency' | 'created_by'> & Partial<NewDraft>,
): NewDraft {
  return {
    application_id: null,
    external_user_id: null,
    is_rectifying: false,
    rectifies_invoice_id: null,
    budget_id: null,
    rectifying_reason: null,
    due_date: null,
    lines: [],
    taxes: [],
    subtotal_cents: 0,
    tax_cents: 0,
    total_cents: 0,
    is_subscription: false,
    notes: null,
    internal_notes: null,
    ...of,
  }
}

/** The same text always has the same bytes, however it was typed. */
export function normalizeText<Text extends string | null | undefined>(text: Text): Text {
  return (text?.normalize('NFC').replaceAll('\r\n', '\n') ?? text) as Text
}

export function assertDraft({ lifecycle }: Pick<InvoiceRow, 'lifecycle'>): void {
  if (lifecycle !== 'DRAFT') fail('INVOICE_NOT_DRAFT')
}

import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { type Budget, listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { listSignatureRequests, requestSignatures } from '#contract/crm/signature-requests.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { useAction } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { NumberField } from '../../parts/number-fields.tsx'
import { Spoken } from '../../parts/spoken.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { requestTexts } from './signature-request.words.ts'
import styles from './signature-requests.module.css'
import { SignerFields } from './signer-fields.tsx'
import { moveSigner, newSigner, ordersOf, type SignerRow } from './signer-rows.ts'

const moves = { ArrowUp: -1, ArrowDown: 1 } as const

/** Asks who signs a budget, and in which order. */
export function RequestSignaturesDialog({ budget, onClose }: { budget: Budget; onClose: () => void }) {
  const text = useWords(requestTexts)
  const language = useLanguage()
  const { rows, list, moved, change, move, onKey, add, remove } = useSignerRows()
  const [days, setDays] = useState<number | null>(crmLimits.signingLinkDaysDefault)
  const request = useAction(requestSignatures, {
    refreshes: [listSignatureRequests, listSigningLinks, readBudget, listBudgets],
  })

  return (
    <Dialog title={text.dialogTitle} isOpen onClose={onClose} size="wide">
      <ActionForm
        onSubmit={async () => {
          const orders = ordersOf(rows)
          const signers = rows.map(({ name, email }, at) => ({
            name: name.trim(),
            email: email.trim(),
            order: orders[at]!,
          }))
          await request.mutateAsync({
            params: { id: budget.id },
            body: { signers, ...(days !== null && { expiresInDays: days }) },
          })
          showToast({ text: text.requested })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            <p className={styles.quiet}>{text.howTo}</p>
            <ol className={styles.rows} ref={list}>
              {rows.map((row, at) => (
                <SignerFields
                  key={row.key}
                  row={row}
                  at={at}
                  count={rows.length}
                  onChange={change}
                  onKeyDown={event => onKey(event, row)}
                  onMove={by => move(row, by)}
                  onRemove={() => remove(row)}
                />
              ))}
            </ol>
            <Spoken isLive>{moved}</Spoken>
            <div>
              <Button
                size="small"
                icon="plus"
                isDisabled={rows.length >= crmLimits.signersPerRequest}
                onPress={add}
              >
                {text.add}
              </Button>
            </div>
            <NumberField
              label={text.days}
              value={days}
              onChange={setDays}
              minimum={1}
              maximum={crmLimits.signingLinkDays}
            />
            <p className={styles.quiet}>
              {budget.status === 'DRAFT' && text.draft} {text.unsaved} {text.revokes}
            </p>
            <FormActions
              onLeave={onClose}
              action={text.action(
                budget.code,
                moneyText(budget.totalCents, budget.currency, language),
                rows.length,
              )}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** The signers in their order. Alt and an arrow move the row with the focus, which keeps it. */
function useSignerRows() {
  const text = useWords(requestTexts)
  const [rows, setRows] = useState<readonly SignerRow[]>(() => [newSigner(), newSigner()])
  const [moved, setMoved] = useState('')
  const list = useRef<HTMLOListElement>(null)
  // a row that moves in the document loses the focus
  const focused = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (focused.current) list.current?.querySelector<HTMLElement>(`[name="${focused.current}"]`)?.focus()
    focused.current = undefined
  })
  function move(row: SignerRow, by: -1 | 1): number {
    const next = moveSigner(rows, row.key, by)
    setRows(next)
    const place = next.findIndex(({ key }) => key === row.key) + 1
    setMoved(text.moved(row.name || text.signer(place), place, next.length))
    return place - 1
  }
  return {
    rows,
    list,
    /** Says where a row was moved. */
    moved,
    move,
    change: (changed: SignerRow) => setRows(rows.map(row => (row.key === changed.key ? changed : row))),
    remove: (removed: SignerRow) => setRows(rows.filter(({ key }) => key !== removed.key)),
    add() {
      focused.current = `signers.${rows.length}.name`
      setRows([...rows, newSigner()])
    },
    onKey(event: KeyboardEvent, row: SignerRow) {
      const by = event.altKey ? moves[event.key as keyof typeof moves] : undefined
      if (by === undefined) return
      event.preventDefault()
      const field = event.target instanceof HTMLInputElement ? event.target.name.split('.').at(-1) : undefined
      const at = move(row, by)
      if (field) focused.current = `signers.${at}.${field}`
    },
  }
}

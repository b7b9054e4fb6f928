import { useState } from 'react'
import {
  linkInvoiceToBudget,
  listUninvoicedBudgets,
  unlinkInvoiceFromBudget,
} from '#contract/billing/budgets.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { textOfError } from '../../data/errors.ts'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction, useList } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice, Skeleton } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords, words } from '../../words/words.ts'
import type { InvoiceDialogProps } from './invoice-dialog.ts'

const texts = words({
  es: {
    title: 'Enlazar un presupuesto firmado',
    about: (client: string) => `Presupuestos firmados de ${client} sin factura.`,
    budgets: 'Presupuesto',
    none: (client: string) => `${client} no tiene ningún presupuesto firmado sin factura.`,
    reading: 'Leyendo',
    link: 'Enlazar presupuesto',
    linked: (code: string) => `Enlazada con ${code}.`,
    unlinkQuestion: (code: string) => `¿Quitar el enlace con ${code}?`,
    unlinkAbout: 'Ni la factura ni el presupuesto cambian. El presupuesto vuelve a estar sin facturar.',
    unlink: 'Quitar enlace',
    unlinked: 'Enlace quitado.',
  },
  en: {
    title: 'Link a signed budget',
    about: (client: string) => `Signed budgets of ${client} without an invoice.`,
    budgets: 'Budget',
    none: (client: string) => `${client} has no signed budget without an invoice.`,
    reading: 'Reading',
    link: 'Link budget',
    linked: (code: string) => `Linked to ${code}.`,
    unlinkQuestion: (code: string) => `Remove the link to ${code}?`,
    unlinkAbout: 'Neither the invoice nor the budget changes. The budget is without an invoice again.',
    unlink: 'Remove link',
    unlinked: 'Link removed.',
  },
})

/** Links the invoice to the signed budget of its client that it bills. */
export function LinkBudgetDialog({ invoice, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  const lacks = useWords(lacksTexts)
  const language = useLanguage()
  const [budgetId, setBudgetId] = useState<string | null>(null)
  const link = useAction(linkInvoiceToBudget)
  const budgets = useList(listUninvoicedBudgets, { query: { limit: 100 } }, { staleMs: 0 })
  const own = budgets.items.filter(({ clientId }) => clientId === invoice.clientId)
  const hasNone = !budgets.isLoading && !budgets.error && !budgets.hasMore && own.length === 0
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <ActionForm
        lacks={budgetId === null && lacks.budget}
        onSubmit={async () => {
          if (budgetId === null) return
          const { budget } = await link.mutateAsync({ params: { id: invoice.id }, body: { budgetId } })
          showToast({ text: text.linked(budget?.code ?? '') })
          onClose()
        }}
      >
        {({ isBusy }) => (
          <>
            {budgets.isLoading && <Skeleton rows={2} label={text.reading} />}
            {budgets.error && <Notice kind="danger">{textOfError(budgets.error, language)}</Notice>}
            {hasNone && <Notice>{text.none(invoice.clientName)}</Notice>}
            {own.length > 0 && (
              <RadioGroup
                label={text.budgets}
                hint={text.about(invoice.clientName)}
                value={budgetId}
                onChange={setBudgetId}
                options={own.map(({ id, code, title, totalCents, currency }) => ({
                  value: id,
                  label: `${code} ${title}`,
                  hint: moneyText(totalCents, currency, language),
                }))}
              />
            )}
            <LoadMore {...budgets} />
            <FormActions onLeave={onClose} action={hasNone ? undefined : text.link} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** Asks before the link to the budget is removed. */
export function UnlinkBudgetDialog({ invoice, onClose }: InvoiceDialogProps) {
  const text = useWords(texts)
  // the invoice has no budget any more once it is read anew
  const [code] = useState(invoice.budget?.code ?? '')
  return (
    <ConfirmAction
      operation={unlinkInvoiceFromBudget}
      input={{ params: { id: invoice.id } }}
      title={text.unlinkQuestion(code)}
      action={text.unlink}
      onClose={onClose}
      toast={() => text.unlinked}
    >
      {text.unlinkAbout}
    </ConfirmAction>
  )
}

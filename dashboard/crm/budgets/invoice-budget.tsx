import { useState } from 'react'
import { createInvoiceOfBudget } from '#contract/billing/budgets.ts'
import { listInvoices } from '#contract/billing/invoices.ts'
import type { Budget } from '#contract/crm/budgets.ts'
import { ConfirmAction } from '../../data/confirm-action.tsx'
import { useKnownHref } from '../../data/known-href.ts'
import { useMay } from '../../data/organization.tsx'
import { useRead } from '../../data/read.ts'
import { Button, ButtonLink } from '../../parts/button.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import { editorTexts } from './editor.words.ts'

/** Leads to the invoice of a signed budget, or creates its draft. */
export function InvoiceBudget({ budget: { id, code, totalCents, currency } }: { budget: Budget }) {
  const text = useWords(editorTexts)
  const language = useLanguage()
  const may = useMay()
  const hrefOf = useKnownHref()
  const [isAsking, setAsking] = useState(false)
  const invoices = useRead(listInvoices, { query: { budgetId: id } }, { enabled: may(listInvoices) })
  const invoice = invoices.data?.data.find(({ status }) => status !== 'VOIDED')
  const href = invoice && hrefOf('invoices', `?open=${invoice.id}`)
  if (href !== undefined) return <ButtonLink href={href}>{text.openInvoice}</ButtonLink>
  if (!may(createInvoiceOfBudget)) return null
  return (
    <>
      {invoices.data && !invoice && (
        <Button icon="invoices" onPress={() => setAsking(true)}>
          {text.invoice}
        </Button>
      )}
      {isAsking && (
        <ConfirmAction
          operation={createInvoiceOfBudget}
          input={{ params: { budgetId: id } }}
          refreshes={[listInvoices]}
          title={text.invoiceQuestion(code)}
          action={text.invoiceAmount(moneyText(totalCents, currency, language))}
          onClose={() => setAsking(false)}
          toast={() => text.invoiced}
        >
          {text.invoiceAbout}
        </ConfirmAction>
      )}
    </>
  )
}

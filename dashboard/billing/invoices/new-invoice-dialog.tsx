import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createInvoiceOfBudget, listUninvoicedBudgets } from '#contract/billing/budgets.ts'
import { createInvoice } from '#contract/billing/invoices.ts'
import { listClients } from '#contract/crm/clients.ts'
import { ClientField } from '../../crm/index.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { useAction, useList } from '../../data/read.ts'
import { Combo } from '../../parts/combo.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { Notice } from '../../parts/states.tsx'
import { type Language, useLanguage, useWords, words } from '../../words/words.ts'

const texts = words({
  es: {
    title: 'Nueva factura',
    source: 'Qué facturas',
    client: 'Trabajo para un cliente',
    clientAbout: 'Escribes las líneas en el borrador.',
    budget: 'Un presupuesto firmado',
    budgetAbout: 'Con sus partidas, descuentos e impuestos.',
    clientField: 'Cliente',
    budgetField: 'Presupuesto sin facturar',
    noBudgets: 'No queda ningún presupuesto firmado sin facturar.',
    noClients: 'Tu rol no puede ver los clientes.',
    create: 'Crear borrador',
  },
  en: {
    title: 'New invoice',
    source: 'What you invoice',
    client: 'Work for a client',
    clientAbout: 'You write the lines in the draft.',
    budget: 'A signed budget',
    budgetAbout: 'With its items, discounts and taxes.',
    clientField: 'Client',
    budgetField: 'Budget without an invoice',
    noBudgets: 'Every signed budget has its invoice.',
    noClients: 'Your role cannot see the clients.',
    create: 'Create draft',
  },
})

/** Creates a draft for a client, or from a signed budget, and opens it. It has no number until it is issued. */
export function NewInvoiceDialog({ onClose }: { onClose: () => void }) {
  const text = useWords(texts)
  const lacks = useWords(lacksTexts)
  const may = useMay()
  const navigate = useNavigate()
  const { address } = useOrganization()
  const [source, setSource] = useState<'client' | 'budget'>('client')
  const [clientId, setClientId] = useState<string | null>(null)
  const [budgetId, setBudgetId] = useState<string | null>(null)
  const create = useAction(createInvoice)
  const createOfBudget = useAction(createInvoiceOfBudget)
  const mayChooseBudget = may(createInvoiceOfBudget) && may(listUninvoicedBudgets)
  const sourceId = source === 'client' ? clientId : budgetId
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <ActionForm
        lacks={sourceId === null && (source === 'client' ? lacks.client : lacks.budget)}
        onSubmit={async () => {
          if (sourceId === null) return
          const { id } =
            source === 'client'
              ? await create.mutateAsync({ body: { clientId: sourceId } })
              : await createOfBudget.mutateAsync({ params: { budgetId: sourceId } })
          onClose()
          await navigate({
            to: '/o/$organization/invoices/$invoiceId',
            params: { organization: address, invoiceId: id },
          })
        }}
      >
        {({ isBusy }) => (
          <>
            {mayChooseBudget && (
              <RadioGroup
                label={text.source}
                value={source}
                onChange={setSource}
                options={[
                  { value: 'client', label: text.client, hint: text.clientAbout },
                  { value: 'budget', label: text.budget, hint: text.budgetAbout },
                ]}
              />
            )}
            {source === 'budget' && <BudgetField value={budgetId} onChange={setBudgetId} />}
            {source === 'client' &&
              (may(listClients) ? (
                <ClientField label={text.clientField} value={clientId} onChange={setClientId} isRequired />
              ) : (
                <Notice>{text.noClients}</Notice>
              ))}
            <FormActions onLeave={onClose} action={text.create} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

type BudgetFieldProps = { value: string | null; onChange: (budgetId: string | null) => void }

function BudgetField({ value, onChange }: BudgetFieldProps) {
  const text = useWords(texts)
  const language = useLanguage()
  const budgets = useList(listUninvoicedBudgets, { query: { limit: 100 } }, { staleMs: 0 })
  if (!budgets.isLoading && budgets.items.length === 0) return <Notice>{text.noBudgets}</Notice>
  return (
    <Combo
      // the browser filters the items that it has when it begins
      key={budgets.isLoading ? 'loading' : 'loaded'}
      label={text.budgetField}
      items={budgets.items.map(budget => ({
        id: budget.id,
        label: `${budget.code} ${budget.title}`,
        hint: hintOf(budget, language),
      }))}
      isLoading={budgets.isLoading}
      value={value}
      onChange={onChange}
      isRequired
    />
  )
}

function hintOf(
  { clientName, totalCents, currency }: { clientName: string; totalCents: number; currency: string },
  language: Language,
): string {
  return `${clientName} · ${moneyText(totalCents, currency, language)}`
}

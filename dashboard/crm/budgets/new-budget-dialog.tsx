import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { createBudget, listBudgets } from '#contract/crm/budgets.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useOrganization } from '../../data/organization.tsx'
import { useAction } from '../../data/read.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField } from '../../parts/number-fields.tsx'
import { useWords } from '../../words/words.ts'
import { ClientField } from '../client-field.tsx'
import { budgetTexts } from './budgets.words.ts'

/** Creates an empty draft for a client and opens it. */
export function NewBudgetDialog({ clientId, onClose }: { clientId?: string; onClose: () => void }) {
  const text = useWords(budgetTexts)
  const lacks = useWords(lacksTexts)
  const navigate = useNavigate()
  const { address } = useOrganization()
  const [client, setClient] = useState<string | null>(clientId ?? null)
  const create = useAction(createBudget, { refreshes: [listBudgets] })
  return (
    <Dialog title={text.newTitle} isOpen onClose={onClose}>
      <ActionForm
        lacks={client === null && lacks.client}
        onSubmit={async ({ title = '', validUntil = '' }) => {
          if (client === null) return
          const budget = await create.mutateAsync({
            body: { title: title.trim(), clientId: client, ...(validUntil && { validUntil }) },
          })
          onClose()
          await navigate({
            to: '/o/$organization/budgets/$budgetId',
            params: { organization: address, budgetId: budget.id },
          })
        }}
      >
        {({ isBusy }) => (
          <>
            <TextField {...fieldOf(createBudget, 'title')} label={text.titleField} autoComplete="off" />
            <ClientField label={text.client} value={client} onChange={setClient} isRequired />
            <DateField name="validUntil" label={text.validUntil} hint={text.validUntilHint} />
            <FormActions onLeave={onClose} action={text.create} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

import { useState } from 'react'
import { readIssuer } from '#contract/crm/issuer.ts'
import {
  createOpportunity,
  listOpportunities,
  type Opportunity,
  readOpportunity,
  updateOpportunity,
} from '#contract/crm/opportunities.ts'
import { ActionForm, fieldOf } from '../../data/action-form.tsx'
import { useDraft } from '../../data/drafts.ts'
import { useAction, useRead } from '../../data/read.ts'
import { Combo } from '../../parts/combo.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField, MoneyField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { ClientField } from '../client-field.tsx'
import { currenciesIn } from '../currencies.ts'
import { OwnerField } from '../leads/owner-field.tsx'
import styles from './opportunities.module.css'
import { opportunityFormTexts, opportunityTexts } from './opportunities.words.ts'

export type OpportunityDialogProps = {
  /** The opportunity to change; without it, a new one. */
  opportunity?: Opportunity
  onClose: () => void
  onCreated?: (opportunity: Opportunity) => void
}

type Values = {
  title: string
  stage: string
  amountCents: number | null
  currency: string
  expectedOn: string
  ownerId: string | null
}

/** Creates an opportunity, or changes one. A new one that was not sent comes back when the dialog opens again. */
export function OpportunityDialog(props: OpportunityDialogProps) {
  const draft = useDraft(createOpportunity)
  // the currency of a new opportunity is that of the issuer
  const issuer = useRead(readIssuer)
  if (!draft.isLoaded || issuer.isPending) return null
  return <OpportunityForm {...props} draft={draft} defaultCurrency={issuer.data?.issuer?.currency ?? 'eur'} />
}

function OpportunityForm({
  opportunity,
  onClose,
  onCreated,
  draft,
  defaultCurrency,
}: OpportunityDialogProps & {
  draft: ReturnType<typeof useDraft<typeof createOpportunity>>
  defaultCurrency: string
}) {
  const text = useWords(opportunityTexts)
  const formText = useWords(opportunityFormTexts)
  const language = useLanguage()
  const first: Partial<Opportunity> = opportunity ?? (draft.values as Partial<Opportunity> | undefined) ?? {}
  const [clientId, setClientId] = useState<string | null>(null)
  const [lacksClient, setLacksClient] = useState(false)
  const [values, setValues] = useState<Values>({
    title: first.title ?? '',
    stage: first.stage ?? '',
    amountCents: first.amountCents ?? null,
    currency: first.currency ?? defaultCurrency,
    expectedOn: first.expectedOn ?? '',
    ownerId: first.ownerId ?? null,
  })
  const create = useAction(createOpportunity, { refreshes: [listOpportunities] })
  const update = useAction(updateOpportunity, { refreshes: [listOpportunities, readOpportunity] })
  const body = {
    title: values.title.trim(),
    stage: values.stage.trim() || null,
    amountCents: values.amountCents,
    currency: values.amountCents === null ? null : values.currency,
    expectedOn: values.expectedOn || null,
    ownerId: values.ownerId,
  }
  function change(changed: Partial<Values>): void {
    const next = { ...values, ...changed }
    setValues(next)
    if (!opportunity) draft.save(next)
  }
  async function send(): Promise<void> {
    if (opportunity) {
      const changed = Object.entries(body).filter(
        ([name, value]) => value !== opportunity[name as keyof Opportunity],
      )
      if (changed.length > 0) {
        await update.mutateAsync({ params: { id: opportunity.id }, body: Object.fromEntries(changed) })
        showToast({ text: formText.saved(body.title) })
      }
      return onClose()
    }
    if (clientId === null) return setLacksClient(true)
    const created = await create.mutateAsync({ body: { ...body, clientId } })
    draft.clear()
    showToast({ text: formText.createdIt(created.title) })
    onClose()
    onCreated?.(created)
  }

  return (
    <Dialog
      title={opportunity ? formText.editTitle(opportunity.title) : formText.createTitle}
      isOpen
      onClose={onClose}
      keepsInput={!opportunity}
    >
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            {lacksClient && clientId === null && <Notice kind="danger">{formText.needsClient}</Notice>}
            <TextField
              {...fieldOf(createOpportunity, 'title')}
              label={text.name}
              value={values.title}
              onChange={title => change({ title })}
              autoComplete="off"
            />
            {!opportunity && <ClientField label={text.client} value={clientId} onChange={setClientId} />}
            <TextField
              {...fieldOf(createOpportunity, 'stage')}
              label={text.stage}
              hint={formText.stageHint}
              value={values.stage}
              onChange={stage => change({ stage })}
              autoComplete="off"
            />
            <div className={styles.pair}>
              <MoneyField
                label={text.amount}
                cents={values.amountCents}
                currency={values.currency}
                onChange={amountCents => change({ amountCents })}
              />
              <Combo
                label={formText.currency}
                name="currency"
                items={currenciesIn(language).map(({ code, name }) => ({
                  id: code,
                  label: name,
                  hint: code,
                }))}
                value={values.currency}
                onChange={currency => change({ currency: currency ?? values.currency })}
              />
            </div>
            <div className={styles.pair}>
              <DateField
                label={text.expected}
                name="expectedOn"
                value={values.expectedOn}
                onChange={expectedOn => change({ expectedOn })}
              />
              <OwnerField value={values.ownerId} onChange={ownerId => change({ ownerId })} />
            </div>
            <FormActions
              onLeave={onClose}
              action={opportunity ? formText.save : formText.createAction}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

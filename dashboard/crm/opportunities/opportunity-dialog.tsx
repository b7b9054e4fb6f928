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
  const body = bodyOf(values)
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
            <AmountFields values={values} onChange={change} />
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

/** The amount that the opportunity may bring, and its currency. */
function AmountFields({
  values: { amountCents, currency },
  onChange,
}: {
  values: Pick<Values, 'amountCents' | 'currency'>
  onChange: (changed: Partial<Values>) => void
}) {
  const text = useWords(opportunityTexts)
  const formText = useWords(opportunityFormTexts)
  const language = useLanguage()
  return (
    <div className={styles.pair}>
      <MoneyField
        label={text.amount}
        cents={amountCents}
        currency={currency}
        onChange={amountCents => onChange({ amountCents })}
      />
      <Combo
        label={formText.currency}
        name="currency"
        items={currenciesIn(language).map(({ code, name }) => ({
          id: code,
          label: name,
          hint: code,
        }))}
        value={currency}
        onChange={chosen => onChange({ currency: chosen ?? currency })}
      />
    </div>
  )
}

/** The fields as they are sent: without an amount there is no currency. */
function bodyOf({ title, stage, amountCents, currency, expectedOn, ownerId }: Values) {
  return {
    title: title.trim(),
    stage: stage.trim() || null,
    amountCents,
    currency: amountCents === null ? null : currency,
    expectedOn: expectedOn || null,
    ownerId,
  }
}

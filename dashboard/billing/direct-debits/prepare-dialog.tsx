import { useState } from 'react'
import { createRemittance, listCollectableInvoices, readCreditor } from '#contract/billing/direct-debits.ts'
import { billingLimits } from '#contract/billing/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { textOfError } from '../../data/errors.ts'
import { lacksTexts } from '../../data/lacks.words.ts'
import { useAction, useRead } from '../../data/read.ts'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { Money } from '../../parts/money.tsx'
import { moneyText } from '../../parts/money-text.ts'
import { DateField } from '../../parts/number-fields.tsx'
import { Notice, Problem, Skeleton } from '../../parts/states.tsx'
import { dayText } from '../../parts/time-text.ts'
import { showToast } from '../../parts/toasts.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from './direct-debits.module.css'
import { directDebitTexts } from './direct-debits.words.ts'
import { refreshes } from './refreshes.ts'

type PrepareProps = { onClose: () => void; onPrepared: (id: string) => void }

/** Chooses the invoices and the day of a remittance. Nothing is chosen at first (SDD-6). */
export function PrepareDialog({ onClose, onPrepared }: PrepareProps) {
  const text = useWords(directDebitTexts)
  const lacks = useWords(lacksTexts)
  const language = useLanguage()
  const { data, error } = useRead(listCollectableInvoices, undefined, { staleMs: 0 })
  const { data: known } = useRead(readCreditor)
  const [day, setDay] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const prepare = useAction(createRemittance, { refreshes })
  const sum = (data?.items ?? [])
    .filter(({ invoiceId }) => chosen.has(invoiceId))
    .reduce((cents, { dueCents }) => cents + dueCents, 0)
  function choose(id: string, isChosen: boolean): void {
    const next = new Set(chosen)
    if (isChosen) next.add(id)
    else next.delete(id)
    setChosen(next)
  }
  return (
    <Dialog title={text.prepareTitle} isOpen onClose={onClose}>
      <ActionForm
        lacks={chosen.size === 0 && lacks.invoices}
        onSubmit={async () => {
          const body = { collectionDate: day, invoiceIds: [...chosen] }
          const { id } = await prepare.mutateAsync({ body })
          showToast({ text: text.prepared })
          onPrepared(id)
        }}
      >
        {({ isBusy }) => (
          <>
            <p>{text.prepareAbout}</p>
            {known?.creditor === null && <Notice kind="warn">{text.creditorMissing}</Notice>}
            <DateField
              name="collectionDate"
              label={text.collectionDate}
              value={day}
              onChange={setDay}
              minimum={dayAfter(1)}
              maximum={dayAfter(billingLimits.remittanceDaysAhead)}
              isRequired
            />
            {error && <Problem title={textOfError(error, language)} />}
            {!data && !error && <Skeleton rows={4} label={text.reading} />}
            {data?.items.length === 0 && <Notice>{text.noInvoices}</Notice>}
            <ul className={styles.list} aria-label={text.invoices}>
              {data?.items.map(item => (
                <li key={item.invoiceId} className={styles.entry}>
                  <Checkbox
                    isSelected={chosen.has(item.invoiceId)}
                    onChange={isChosen => choose(item.invoiceId, isChosen)}
                    hint={`${item.mandateReference} · ${item.scheme} · ${text.dueOn(dayText(item.dueDate, language))}`}
                  >
                    {item.invoiceNumber} {item.clientName}
                  </Checkbox>
                  <Money cents={item.dueCents} currency="eur" />
                </li>
              ))}
            </ul>
            <FormActions
              onLeave={onClose}
              action={text.prepareAction(moneyText(sum, 'eur', language))}
              isBusy={isBusy}
            />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

function dayAfter(days: number): string {
  return new Date(currentTime() + days * 86_400_000).toISOString().slice(0, 10)
}

import { pauseInvoiceReminders, readInvoiceReminders } from '#contract/billing/reminders.ts'
import { textOfError } from '../../data/errors.ts'
import { useMay } from '../../data/organization.tsx'
import { useAction, useRead } from '../../data/read.ts'
import { Notice } from '../../parts/states.tsx'
import { Switch } from '../../parts/switch.tsx'
import { Time } from '../../parts/time.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { reminderTexts, ruleName } from '../settings/reminders.words.ts'
import styles from './invoice.module.css'

/** The reminders of an invoice that were sent, and the switches that pause them. `isDue`: something is left to pay. */
export function RemindersPart({ invoiceId, isDue }: { invoiceId: string; isDue: boolean }) {
  const text = useWords(reminderTexts)
  const language = useLanguage()
  const may = useMay()
  const { data } = useRead(readInvoiceReminders, { params: { id: invoiceId } })
  const pause = useAction(pauseInvoiceReminders, { refreshes: [readInvoiceReminders] })
  if (!data) return null
  const { isPaused, isClientPaused, items } = data
  // the mail of a paid invoice is dropped when its turn comes
  const waits = isDue ? text.waits : text.dropped
  const isDisabled = !may(pauseInvoiceReminders) || pause.isPending
  const set = (changed: { isPaused?: boolean; isClientPaused?: boolean }) =>
    pause.mutate({ params: { id: invoiceId }, body: { isPaused, isClientPaused, ...changed } })
  return (
    <section className={styles.part}>
      <h2 className={styles.partTitle}>{text.title}</h2>
      {items.length === 0 && <p className={styles.quiet}>{text.none}</p>}
      {items.map(({ days, createdAt, sentAt, hasRecipient }) => (
        <p key={days}>
          {ruleName(text, days)}{' '}
          <span className={styles.quiet}>
            <Time value={sentAt ?? createdAt} form="date" />
            {sentAt === null && `, ${hasRecipient ? waits : text.noRecipient}`}
          </span>
        </p>
      ))}
      {pause.error && <Notice kind="danger">{textOfError(pause.error, language)}</Notice>}
      <Switch isSelected={isPaused} onChange={next => set({ isPaused: next })} isDisabled={isDisabled}>
        {text.paused}
      </Switch>
      <Switch
        isSelected={isClientPaused}
        onChange={next => set({ isClientPaused: next })}
        isDisabled={isDisabled}
        hint={text.clientPausedHint}
      >
        {text.clientPaused}
      </Switch>
    </section>
  )
}

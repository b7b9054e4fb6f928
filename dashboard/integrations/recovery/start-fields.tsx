import { recoverDeliveries } from '#contract/integrations/recoveries.ts'
import { limits } from '#contract/limits.ts'
import { dataOf } from '../../data/contract.ts'
import { textOfError } from '../../data/errors.ts'
import { FormActions } from '../../parts/form-actions.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { exactDurationText } from '../../parts/time-text.ts'
import { useLanguage, useWords } from '../../words/words.ts'
import styles from '../integrations.module.css'
import recoveryStyles from './recovery.module.css'
import { secondsFor } from './recovery.rules.ts'
import { recoveryTexts } from './recovery.words.ts'

/** The end of the dialogs: how many there are, at which rate, how long it takes, and the button with the count. */
export function StartFields({
  counted: { data, error },
  found,
  action,
  perSecond,
  onRate,
  isBusy,
  onClose,
}: {
  /** The reply of a dry run. */
  counted: { data: { count: number; next: string | null } | undefined; error: unknown }
  found: (count: number) => string
  action: (count: number) => string
  perSecond: number | null
  onRate: (perSecond: number | null) => void
  isBusy: boolean
  onClose: () => void
}) {
  const text = useWords(recoveryTexts)
  const language = useLanguage()
  const { minimum = 1, maximum = limits.recoveryPerSecond } = dataOf(recoverDeliveries).fields.perSecond ?? {}
  const count = data?.count ?? 0
  const seconds = secondsFor(count, perSecond ?? limits.recoveryPerSecondDefault)
  return (
    <>
      <div className={recoveryStyles.rate}>
        <NumberField
          label={text.rate}
          hint={text.rateHint(maximum)}
          value={perSecond}
          onChange={onRate}
          minimum={minimum}
          maximum={maximum}
        />
      </div>
      {error ? (
        <Notice kind="danger">{textOfError(error, language)}</Notice>
      ) : (
        <div role="status">
          <p className={styles.title}>{data ? (count > 0 ? found(count) : text.foundNone) : text.counting}</p>
          {count > 0 && (
            <p className={styles.quiet}>{text.takes(exactDurationText(seconds * 1_000, language))}</p>
          )}
          {data?.next && <p className={styles.quiet}>{text.more}</p>}
        </div>
      )}
      <FormActions
        onLeave={onClose}
        action={count > 0 ? action(count) : text.start}
        isBusy={isBusy}
        isDisabled={count === 0}
      />
    </>
  )
}

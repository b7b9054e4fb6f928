import { useState } from 'react'
import { limits } from '#contract/limits.ts'
import { ActionForm } from '../../data/action-form.tsx'
import { currentTime } from '../../parts/clock.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { FormActions } from '../../parts/form-actions.tsx'
import { DateField, NumberField } from '../../parts/number-fields.tsx'
import { RadioGroup } from '../../parts/radio-group.tsx'
import { useWords } from '../../words/words.ts'
import { changeDialogTexts } from './change-dialogs.words.ts'
import type { SilenceCondition } from './error.rules.ts'
import type { ErrorGroup } from './error.ts'
import { shortTitleOf } from './use-error-changes.ts'

const types = ['FOREVER', 'DATE', 'COUNT', 'SPIKE'] as const
type SilenceType = (typeof types)[number]
const dayMs = 86_400_000
const usualDays = 7
const usualCount = 100

/** Asks until when errors are silent. */
export function SilenceDialog({
  errors,
  onSilence,
  onClose,
}: {
  errors: readonly ErrorGroup[]
  onSilence: (silence: SilenceCondition) => void
  onClose: () => void
}) {
  const text = useWords(changeDialogTexts)
  const [type, setType] = useState<SilenceType>('FOREVER')
  const [day, setDay] = useState(dayOf(currentTime() + usualDays * dayMs))
  const [count, setCount] = useState<number | null>(usualCount)
  const [first] = errors
  function conditionOf(): SilenceCondition {
    // the beginning of the day where the person is
    if (type === 'DATE') return { type, until: new Date(`${day}T00:00`).toISOString() }
    if (type === 'COUNT') return { type, count: count ?? usualCount }
    return { type }
  }
  async function send(): Promise<void> {
    onSilence(conditionOf())
    onClose()
  }
  return (
    <Dialog
      title={
        first && errors.length === 1
          ? text.silenceTitle(shortTitleOf(first))
          : text.silenceManyTitle(errors.length)
      }
      isOpen
      onClose={onClose}
    >
      <ActionForm onSubmit={send}>
        {({ isBusy }) => (
          <>
            <p>{text.silenceAbout}</p>
            <RadioGroup
              label={text.until}
              value={type}
              onChange={setType}
              options={types.map(value => ({ value, label: text[value], hint: text[`${value}hint`] }))}
            />
            {type === 'DATE' && (
              <DateField
                label={text.day}
                value={day}
                onChange={setDay}
                minimum={dayOf(currentTime() + dayMs)}
                isRequired
              />
            )}
            {type === 'COUNT' && (
              <NumberField
                label={text.count}
                value={count}
                onChange={setCount}
                minimum={1}
                maximum={limits.errorSilenceCount}
                isRequired
              />
            )}
            <FormActions onLeave={onClose} action={text.silence} isBusy={isBusy} />
          </>
        )}
      </ActionForm>
    </Dialog>
  )
}

/** The day of a moment where the person is: `2026-12-03`. */
function dayOf(time: number): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

import { useState } from 'react'
import { previewReminder } from '#contract/billing/reminders.ts'
import { limits } from '#contract/limits.ts'
import { textOfError } from '../../data/errors.ts'
import { useRead } from '../../data/read.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Checkbox, TextField } from '../../parts/field.tsx'
import { NumberField } from '../../parts/number-fields.tsx'
import { Notice } from '../../parts/states.tsx'
import { useLanguage, useWords } from '../../words/words.ts'
import { MailFrame, usePaused } from './mail-frame.tsx'
import { reminderTexts, ruleName } from './reminders.words.ts'
import styles from './settings.module.css'

export type ReminderRule = { days: number; isOn: boolean; text: string | null }
type Moment = 'before' | 'onDay' | 'after'

/** The fields of one rule, and the e-mail that it sends. */
export function ReminderRuleFields({
  rule,
  onChange,
  onRemove,
}: {
  rule: ReminderRule
  onChange: (rule: ReminderRule) => void
  onRemove: () => void
}) {
  const text = useWords(reminderTexts)
  const [isShown, setShown] = useState(false)
  const { days } = rule
  const moment: Moment = days === 0 ? 'onDay' : days < 0 ? 'before' : 'after'
  const setMoment = (next: Moment) =>
    onChange({ ...rule, days: { before: -1, onDay: 0, after: 1 }[next] * (Math.abs(days) || 3) })
  return (
    <fieldset className={styles.rule} aria-label={text.rule(ruleName(text, days))}>
      <div className={styles.pair}>
        <Choice
          label={text.moment}
          value={moment}
          onChange={setMoment}
          options={(['before', 'onDay', 'after'] as const).map(value => ({ value, label: text[value] }))}
        />
        {moment !== 'onDay' && (
          <NumberField
            label={text.days}
            value={Math.abs(days)}
            onChange={next => onChange({ ...rule, days: Math.sign(days) * (next ?? 1) })}
            minimum={1}
            maximum={moment === 'before' ? limits.reminderDaysBefore : limits.reminderDaysAfter}
          />
        )}
      </div>
      <TextField
        label={text.ownText}
        hint={text.ownTextHint}
        rows={3}
        maxLength={limits.reminderText}
        value={rule.text ?? ''}
        onChange={typed => onChange({ ...rule, text: typed === '' ? null : typed })}
      />
      <Checkbox isSelected={rule.isOn} onChange={isOn => onChange({ ...rule, isOn })}>
        {text.isOn}
      </Checkbox>
      <div className={styles.buttons}>
        <Button size="small" onPress={() => setShown(!isShown)}>
          {isShown ? text.hidePreview : text.preview}
        </Button>
        <Button size="small" kind="quiet" onPress={onRemove}>
          {text.remove}
        </Button>
      </div>
      {isShown && <Preview rule={rule} />}
    </fieldset>
  )
}

function Preview({ rule: { days, text: written } }: { rule: ReminderRule }) {
  const text = useWords(reminderTexts)
  const language = useLanguage()
  const body = JSON.parse(usePaused(JSON.stringify({ days, text: written })))
  const { data, error } = useRead(previewReminder, { body })
  if (error) return <Notice kind="danger">{textOfError(error, language)}</Notice>
  if (!data) return null
  return (
    <>
      <p className={styles.mailSubject}>{data.subject}</p>
      <MailFrame html={data.html} title={text.previewFrame} />
    </>
  )
}

import { useState } from 'react'
import { Choice } from '../../parts/choice.tsx'
import { currentTime } from '../../parts/clock.ts'
import { DateField } from '../../parts/number-fields.tsx'
import { useWords } from '../../words/words.ts'
import { dayAhead, endOfDay, lastDay } from './share.rules.ts'
import styles from './shares.module.css'
import { shareTexts } from './shares.words.ts'

const spans = { week: 7, month: 30 } as const

/** When a share ends: never, after a while, or on a day. */
export type Ending = { kind: 'never' | keyof typeof spans } | { kind: 'day'; day: string }

/** The ending of an existing share, or none. */
export function firstEnding(expiresAt: string | null): Ending {
  if (expiresAt === null) return { kind: 'never' }
  return { kind: 'day', day: dayAhead(Date.parse(expiresAt), 0) }
}

/** The moment for the server; a day that was not changed keeps its hour. */
export function expiryOf(ending: Ending, former: string | null): string | null {
  if (ending.kind === 'never') return null
  if (ending.kind !== 'day') return endOfDay(dayAhead(currentTime(), spans[ending.kind]))
  const isSame = former !== null && dayAhead(Date.parse(former), 0) === ending.day
  return isSame ? former : endOfDay(ending.day)
}

/** A field for when a share ends. */
export function ExpiryField({ value, onChange }: { value: Ending; onChange: (ending: Ending) => void }) {
  const text = useWords(shareTexts)
  const [now] = useState(currentTime)
  return (
    <div className={styles.pair}>
      <Choice<Ending['kind']>
        label={text.ends}
        value={value.kind}
        options={[
          { value: 'never', label: text.never },
          { value: 'week', label: text.inDays(spans.week) },
          { value: 'month', label: text.inDays(spans.month) },
          { value: 'day', label: text.onDay },
        ]}
        onChange={kind => onChange(kind === 'day' ? { kind, day: dayAhead(now, spans.month) } : { kind })}
      />
      {value.kind === 'day' && (
        <DateField
          label={text.day}
          value={value.day}
          minimum={dayAhead(now, 0)}
          maximum={lastDay(now)}
          isRequired
          onChange={day => onChange({ kind: 'day', day })}
        />
      )}
    </div>
  )
}

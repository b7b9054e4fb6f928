import { Focusable, Tooltip, TooltipTrigger } from 'react-aria-components'
import { useLanguage } from '../words/words.ts'
import { currentTime, useMinute } from './clock.ts'
import styles from './time.module.css'
import { absoluteTime, dayText, exactTime, relativeTime } from './time-text.ts'

export type TimeProps = {
  /** As the server sends it (ISO 8601), or milliseconds since 1970. A date without a time is the same day in every zone. */
  value: string | number
  /** `relative`: as short as it can be. `date`: the day. `moment`: the day with hours and minutes. */
  form?: 'relative' | 'date' | 'moment'
  /** The keyboard can focus it, which shows the exact time. Not in rows of lists, where Tab would stop too often. */
  isFocusable?: boolean
}

/** A time in the zone of the browser. The whole time, also in UTC, appears under the pointer or on focus. */
export function Time({ value, form = 'relative', isFocusable = false }: TimeProps) {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
  if (isDay) return <Day value={value} />
  const time = typeof value === 'number' ? value : Date.parse(value)
  if (Number.isNaN(time)) return <span>–</span>
  return <Moment time={time} form={form} isFocusable={isFocusable} />
}

function Moment({ time, form, isFocusable }: { time: number } & Required<Omit<TimeProps, 'value'>>) {
  const language = useLanguage()
  useMinute()
  const { local, utc } = exactTime(time, language)
  const text =
    form === 'relative' ? relativeTime(time, currentTime(), language) : absoluteTime(time, language, form)
  const dateTime = new Date(time).toISOString()
  if (!isFocusable)
    return (
      <time dateTime={dateTime} title={`${local}\n${utc}`} className={styles.time}>
        {text}
      </time>
    )
  return (
    <TooltipTrigger delay={300}>
      <Focusable>
        <time dateTime={dateTime} className={styles.time} tabIndex={0} role="note">
          {text}
        </time>
      </Focusable>
      <Tooltip className={styles.tooltip} offset={6}>
        <span>{local}</span>
        <span>{utc}</span>
      </Tooltip>
    </TooltipTrigger>
  )
}

/** A day of the calendar, the same in every zone. */
function Day({ value }: { value: string }) {
  const language = useLanguage()
  return (
    <time dateTime={value} className={styles.time}>
      {dayText(value, language)}
    </time>
  )
}

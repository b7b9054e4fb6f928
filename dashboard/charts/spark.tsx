import styles from './charts.module.css'
import { mostPoints } from './hour-bars.tsx'

/** A line without axes in a row of a list. Its label says what it shows, with the last value. */
export function Spark({
  label,
  values,
  kind = 'plain',
}: {
  label: string
  values: readonly number[]
  kind?: 'plain' | 'failed'
}) {
  return (
    <svg
      className={styles.spark}
      viewBox="0 0 100 20"
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <polyline
        points={sparkPoints(values)}
        className={`${styles.line} ${kind === 'failed' ? styles.failedLine : ''}`}
      />
    </svg>
  )
}

/** The points of a line through the values in a box of 100 by 20. */
export function sparkPoints(values: readonly number[]): string {
  const shown = values.slice(-mostPoints)
  const most = Math.max(...shown, 1)
  const step = shown.length > 1 ? 100 / (shown.length - 1) : 0
  return shown.map((value, at) => `${round(at * step)},${round(19 - (value / most) * 18)}`).join(' ')
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

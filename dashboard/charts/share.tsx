import styles from './charts.module.css'
import { ChartFrame } from './frame.tsx'

export type SharePart = {
  id: string
  label: string
  value: number
  /** The value as a person reads it: “310 ms”, “1.536,70 €”. */
  text: string
  kind?: 'first' | 'second' | 'third' | 'fourth' | 'failed' | 'failedLight' | 'failedMedium'
}

const kinds = ['first', 'second', 'third', 'fourth'] as const

/** The parts of a whole in one line, from ink to air: the phases of an attempt. */
export function Share({ label, parts }: { label: string; parts: readonly SharePart[] }) {
  const total = parts.reduce((sum, part) => sum + part.value, 0) || 1
  const shown = parts.map((part, at) => ({
    ...part,
    kind: part.kind ?? kinds[at] ?? 'fourth',
  }))
  const startOf = (at: number) => shown.slice(0, at).reduce((sum, part) => sum + part.value, 0) / total
  return (
    <ChartFrame label={label} legend={shown}>
      <svg
        className={styles.share}
        role="img"
        aria-label={shown.map(part => `${part.label} ${part.text}`).join(', ')}
      >
        {shown.map((part, at) => (
          <rect
            key={part.id}
            x={`${startOf(at) * 100}%`}
            width={`${(part.value / total) * 100}%`}
            height="100%"
            className={`${styles[part.kind]} ${styles.piece}`}
          />
        ))}
      </svg>
    </ChartFrame>
  )
}

/** The sums that are owed, by age: the part that is not due, then three ages in an ever stronger red. */
export function Ageing({ label, parts }: { label: string; parts: readonly Omit<SharePart, 'kind'>[] }) {
  const ages = ['fourth', 'failedLight', 'failedMedium', 'failed'] as const
  return <Share label={label} parts={parts.map((part, at) => ({ ...part, kind: ages[at] ?? 'failed' }))} />
}

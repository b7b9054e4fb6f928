import { ProgressBar } from 'react-aria-components'
import styles from './progress.module.css'

export type ProgressProps = {
  /** Names the work: “Importing leads.csv”. */
  label: string
  /** Between 0 and 1; undefined if the rest of the work is unknown. */
  value?: number | undefined
  /** At the end of the line: “120 of 500”. Without it the percentage. */
  about?: string
  isLabelHidden?: boolean
}

/** A progress bar with its label. */
export function Progress({ label, value, about, isLabelHidden = false }: ProgressProps) {
  return (
    <ProgressBar
      aria-label={label}
      maxValue={1}
      {...(value === undefined ? { isIndeterminate: true } : { value })}
      {...(about && { valueLabel: about })}
      className={styles.progress}
    >
      {({ percentage, valueText }) => (
        <>
          {!isLabelHidden && (
            <span className={styles.line}>
              <span className={styles.label}>{label}</span>
              <span className={styles.about}>{about ?? (value === undefined ? '' : valueText)}</span>
            </span>
          )}
          <svg className={styles.track} aria-hidden="true">
            <rect width="100%" height="100%" className={styles.rest} />
            {value === undefined ? (
              <rect width="30%" height="100%" className={styles.moving} />
            ) : (
              <rect width={`${percentage}%`} height="100%" className={styles.part} />
            )}
          </svg>
        </>
      )}
    </ProgressBar>
  )
}

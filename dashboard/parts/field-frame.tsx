import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import styles from './field.module.css'

/** The frame of a field: its label above, and its hint and its error below. */
export function FieldFrame({
  label,
  aside,
  hint,
  error,
  children,
}: {
  /** Undefined: the field names itself for screen readers. */
  label: string | undefined
  /** A link or a note at the end of the label's line. */
  aside?: ReactNode
  hint: ReactNode
  /** Replaces the message of the browser. */
  error?: string | undefined
  children: ReactNode
}) {
  return (
    <>
      {label !== undefined && (
        <div className={styles.labelLine}>
          <Label className={styles.label}>{label}</Label>
          {aside}
        </div>
      )}
      {children}
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error}>{error}</FieldError>
    </>
  )
}

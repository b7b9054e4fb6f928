import type { ReactNode } from 'react'
import { FieldError, Label, Text } from 'react-aria-components'
import { useWords } from '../words/words.ts'
import styles from './field.module.css'
import { fieldTexts, rulesOfBrowser } from './field.words.ts'

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
  /** Replaces every other message. */
  error?: string | undefined
  children: ReactNode
}) {
  const text = useWords(fieldTexts)
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
      <FieldError className={styles.error}>
        {error ??
          (({ validationDetails, validationErrors }) => {
            const broken = rulesOfBrowser.find(rule => validationDetails[rule])
            return broken ? text[broken] : validationErrors.join(' ')
          })}
      </FieldError>
    </>
  )
}

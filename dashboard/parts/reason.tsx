import { type ReactNode, useState } from 'react'
import styles from './field.module.css'
import { TextField, type TextFieldProps } from './field.tsx'

/** A field for a reason or a note, which counts the characters up to its maximum. */
export function Reason({
  maxLength,
  value,
  defaultValue = '',
  onChange,
  rows = 3,
  hint,
  ...field
}: Omit<TextFieldProps, 'aside' | 'value' | 'defaultValue' | 'hint'> & {
  maxLength: number
  value?: string
  defaultValue?: string
  hint?: ReactNode
}) {
  const [typed, setTyped] = useState(defaultValue)
  const text = value ?? typed
  return (
    <TextField
      {...field}
      rows={rows}
      maxLength={maxLength}
      value={text}
      onChange={next => {
        setTyped(next)
        onChange?.(next)
      }}
      {...(hint !== undefined && { hint })}
      aside={
        <span className={styles.count} aria-hidden="true">
          {text.length} / {maxLength}
        </span>
      }
    />
  )
}

import type { ReactNode } from 'react'
import { RadioGroup as AriaRadioGroup, Label, Radio, Text } from 'react-aria-components'
import fieldStyles from './field.module.css'
import styles from './switch-and-radio.module.css'

export type RadioOption<Value extends string> = {
  value: Value
  label: string
  hint?: ReactNode
  isDisabled?: boolean
}

/** Radio buttons: all entries are visible, each with its explanation. */
export function RadioGroup<Value extends string>({
  label,
  hint,
  options,
  value,
  defaultValue,
  onChange,
  name,
}: {
  label: string
  hint?: ReactNode
  options: readonly RadioOption<Value>[]
  value?: Value | null
  defaultValue?: Value
  onChange?: (value: Value) => void
  name?: string
}) {
  return (
    <AriaRadioGroup
      className={styles.radios}
      {...(name !== undefined && { name })}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(onChange && { onChange: (next: string) => onChange(next as Value) })}
    >
      <Label className={fieldStyles.label}>{label}</Label>
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      {options.map(option => (
        <Radio
          key={option.value}
          value={option.value}
          className={styles.radio}
          {...(option.isDisabled && { isDisabled: true })}
        >
          <span className={styles.dot} aria-hidden="true" />
          <span>
            {option.label}
            {option.hint && <span className={styles.hint}>{option.hint}</span>}
          </span>
        </Radio>
      ))}
    </AriaRadioGroup>
  )
}

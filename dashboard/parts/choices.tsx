import type { ReactNode } from 'react'
import { RadioGroup as AriaRadioGroup, Switch as AriaSwitch, Label, Radio, Text } from 'react-aria-components'
import styles from './choices.module.css'
import fieldStyles from './field.module.css'

/** Something that is on or off at once, without saving. */
export function Switch({
  children,
  hint,
  isSelected,
  onChange,
  isDisabled,
}: {
  children: ReactNode
  hint?: ReactNode
  isSelected: boolean
  onChange: (isSelected: boolean) => void
  isDisabled?: boolean
}) {
  return (
    <AriaSwitch
      isSelected={isSelected}
      onChange={onChange}
      className={styles.switch}
      {...(isDisabled && { isDisabled })}
    >
      <span className={styles.track} aria-hidden="true">
        <span className={styles.knob} />
      </span>
      <span>
        {children}
        {hint && <span className={styles.hint}>{hint}</span>}
      </span>
    </AriaSwitch>
  )
}

export type RadioOption<Value extends string> = {
  value: Value
  label: string
  hint?: ReactNode
  isDisabled?: boolean
}

/** A choice of one among a few that are all in sight, each with its explanation. */
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

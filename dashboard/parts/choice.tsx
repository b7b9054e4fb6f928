import type { ReactNode } from 'react'
import { Button, ListBox, ListBoxItem, Popover, Select, SelectValue, Text } from 'react-aria-components'
import styles from './field.module.css'
import { FieldFrame } from './field-frame.tsx'
import { Icon } from './icon.tsx'
import overlay from './overlay.module.css'

export type Option<Value extends string> = { value: Value; label: string; hint?: string }
export type ChoiceProps<Value extends string> = {
  label: string
  /** The label is only for screen readers, where the context shows what is chosen. */
  isLabelHidden?: boolean
  hint?: ReactNode
  name?: string
  options: readonly Option<Value>[]
  value?: Value | null
  defaultValue?: Value
  onChange?: (value: Value) => void
  isRequired?: boolean
  isDisabled?: boolean
  placeholder?: string
}

/** A drop-down list of which a person chooses one entry. */
export function Choice<Value extends string>({
  label,
  isLabelHidden,
  hint,
  options,
  value,
  defaultValue,
  onChange,
  placeholder,
  ...field
}: ChoiceProps<Value>) {
  return (
    <Select
      {...field}
      {...(isLabelHidden && { 'aria-label': label })}
      {...(value !== undefined && { value })}
      {...(defaultValue !== undefined && { defaultValue })}
      {...(placeholder !== undefined && { placeholder })}
      {...(onChange && { onChange: (key: unknown) => onChange(key as Value) })}
      className={styles.field}
    >
      <FieldFrame label={isLabelHidden ? undefined : label} hint={hint}>
        <Button className={`${styles.input} ${styles.select}`}>
          <SelectValue className={styles.value} />
          <Icon name="chevronDown" />
        </Button>
      </FieldFrame>
      <Popover className={`${overlay.raised} ${styles.popover}`} offset={4} maxHeight={320}>
        <ListBox className={styles.list} items={options.map(option => ({ ...option, id: option.value }))}>
          {option => (
            <ListBoxItem id={option.value} textValue={option.label} className={styles.option}>
              <span>
                <Text slot="label">{option.label}</Text>
                {option.hint && (
                  <Text slot="description" className={styles.optionHint}>
                    {option.hint}
                  </Text>
                )}
              </span>
              <Icon name="check" className={styles.chosen} />
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  )
}

import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Button,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
  TextArea,
} from 'react-aria-components'
import styles from './field.module.css'
import { Icon } from './icon.tsx'

export type TextFieldProps = {
  label: string
  /** A person must know this before they type. */
  hint?: ReactNode
  /** A link or a note at the end of the label's line. */
  aside?: ReactNode
  placeholder?: string
  /** More than one line: so many at first. */
  rows?: number
} & Pick<
  AriaTextFieldProps,
  | 'name'
  | 'type'
  | 'value'
  | 'defaultValue'
  | 'onChange'
  | 'onBlur'
  | 'isRequired'
  | 'isReadOnly'
  | 'isDisabled'
  | 'isInvalid'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'autoComplete'
  | 'autoFocus'
  | 'inputMode'
  | 'validate'
  | 'spellCheck'
>

/** A field for text, with its label above and its error below. */
export function TextField({ label, hint, aside, placeholder, rows, ...field }: TextFieldProps) {
  return (
    <AriaTextField {...field} className={styles.field}>
      <div className={styles.labelLine}>
        <Label className={styles.label}>{label}</Label>
        {aside}
      </div>
      {rows ? (
        <TextArea
          className={`${styles.input} ${styles.area}`}
          rows={rows}
          {...(placeholder && { placeholder })}
        />
      ) : (
        <Input className={styles.input} {...(placeholder && { placeholder })} />
      )}
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error} />
    </AriaTextField>
  )
}

export type Option<Value extends string> = { value: Value; label: string; hint?: string }
export type ChoiceProps<Value extends string> = {
  label: string
  /** The label is only for screen readers: the place says the rest. */
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

/** A choice of one among a few. */
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
      {!isLabelHidden && (
        <div className={styles.labelLine}>
          <Label className={styles.label}>{label}</Label>
        </div>
      )}
      <Button className={`${styles.input} ${styles.select}`}>
        <SelectValue className={styles.value} />
        <Icon name="chevronDown" />
      </Button>
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error} />
      <Popover className={styles.popover} offset={4}>
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

export type CheckboxProps = {
  children?: ReactNode
  hint?: ReactNode
  isSelected?: boolean
  defaultSelected?: boolean
  isIndeterminate?: boolean
  isDisabled?: boolean
  onChange?: (isSelected: boolean) => void
  name?: string
  value?: string
  'aria-label'?: string
}

export function Checkbox({ children, hint, ...checkbox }: CheckboxProps) {
  return (
    <AriaCheckbox {...checkbox} className={styles.checkbox}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span
            className={styles.box}
            data-state={isIndeterminate ? 'mixed' : isSelected ? 'on' : 'off'}
            aria-hidden="true"
          />
          {(children || hint) && (
            <span>
              {children}
              {hint && <span className={styles.optionHint}>{hint}</span>}
            </span>
          )}
        </>
      )}
    </AriaCheckbox>
  )
}

import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  Input,
  TextArea,
} from 'react-aria-components'
import checkboxStyles from './checkbox.module.css'
import styles from './field.module.css'
import { FieldFrame } from './field-frame.tsx'

export type TextFieldProps = {
  label: string
  /** Help that a person needs before they type. */
  hint?: ReactNode
  /** A link or a note at the end of the label's line. */
  aside?: ReactNode
  placeholder?: string
  /** The height of a field for several lines, in lines. */
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
      <FieldFrame label={label} hint={hint} aside={aside}>
        {rows ? (
          <TextArea
            className={`${styles.input} ${styles.area}`}
            rows={rows}
            {...(placeholder && { placeholder })}
          />
        ) : (
          <Input className={styles.input} {...(placeholder && { placeholder })} />
        )}
      </FieldFrame>
    </AriaTextField>
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

/** A checkbox with its label and hint at its right. */
export function Checkbox({ children, hint, ...checkbox }: CheckboxProps) {
  return (
    <AriaCheckbox {...checkbox} className={styles.checkbox}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span
            className={`${checkboxStyles.box} ${styles.box}`}
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

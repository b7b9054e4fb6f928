import type { ReactNode } from 'react'
import { Switch as AriaSwitch } from 'react-aria-components'
import styles from './switch-and-radio.module.css'

/** Turns something on or off at once, without saving. */
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

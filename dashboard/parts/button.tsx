import type { ReactNode } from 'react'
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Link as AriaLink,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components'
import styles from './button.module.css'
import { Icon, type IconName } from './icon.tsx'
import { Key } from './key.tsx'

export type ButtonProps = {
  /**
   * `primary` is the next step: at most one in a view. `danger` asks before something is destroyed, and `destroy`, the last
   * button of that question, does it. `quiet` has no border.
   */
  kind?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'destroy'
  size?: 'usual' | 'small' | 'large'
  icon?: IconName
  /** The key that does the same, shown in the button; the screen handles it. */
  shortcut?: string
  /** Work is in progress: the button keeps its width and its focus, and takes no press. */
  isBusy?: boolean
  isWide?: boolean
  /** On a phone, the icon alone is shown; screen readers say the words. */
  isShortOnPhone?: boolean
  children: ReactNode
} & Pick<
  AriaButtonProps,
  | 'onPress'
  | 'onHoverStart'
  | 'onFocus'
  | 'isDisabled'
  | 'type'
  | 'autoFocus'
  | 'aria-label'
  | 'aria-describedby'
>

/** A button. Its words name what it does: “Invite”, “Charge 1.536,70 €”; `…` means that a question follows (DSH-24). */
export function Button({
  kind = 'secondary',
  size = 'usual',
  icon,
  shortcut,
  isBusy = false,
  isWide = false,
  isShortOnPhone = false,
  children,
  ...button
}: ButtonProps) {
  return (
    <AriaButton
      {...button}
      {...(isBusy && busy)}
      className={`${classOf(kind, size, isWide)} ${isShortOnPhone ? styles.short : ''}`}
    >
      {icon && <Icon name={icon} className={styles.icon} />}
      {isShortOnPhone ? <span className={styles.words}>{children}</span> : children}
      {shortcut && <Key name={shortcut} />}
    </AriaButton>
  )
}

/**
 * A busy button is not disabled: it would lose the focus. React Aria's own `isPending` repeats the name of the button
 * to screen readers, and leaves a reference to it behind when the dialog of the button closes.
 */
const busy = { 'aria-disabled': true, 'data-pending': true, onPress: undefined, type: 'button' } as const

export type ButtonLinkProps = Pick<
  ButtonProps,
  'kind' | 'size' | 'icon' | 'isWide' | 'shortcut' | 'children'
> & { href: string }

/** A link that looks like a button. Like every link, it can be opened in a new tab. */
export function ButtonLink({
  kind = 'secondary',
  size = 'usual',
  icon,
  isWide = false,
  shortcut,
  children,
  href,
}: ButtonLinkProps) {
  return (
    <AriaLink href={href} className={classOf(kind, size, isWide)}>
      {icon && <Icon name={icon} className={styles.icon} />}
      {children}
      {shortcut && <Key name={shortcut} />}
    </AriaLink>
  )
}

function classOf(kind: string, size: string, isWide: boolean): string {
  return [styles.button, styles[kind], styles[size], isWide && styles.wide].filter(Boolean).join(' ')
}

export type IconButtonProps = {
  icon: IconName
  /** Names the action; also its tooltip. */
  label: string
  shortcut?: string
  size?: 'usual' | 'small'
} & Pick<
  AriaButtonProps,
  'onPress' | 'onHoverStart' | 'onFocus' | 'onKeyDown' | 'isDisabled' | 'aria-haspopup' | 'aria-expanded'
>

/** A button with an icon alone. Its label is its tooltip and what screen readers say. */
export function IconButton({ icon, label, shortcut, size = 'usual', ...button }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        {...button}
        aria-label={label}
        className={`${styles.iconButton} ${size === 'small' ? styles.smallIcon : ''}`}
      >
        <Icon name={icon} />
      </AriaButton>
      <Tooltip className={styles.tooltip} offset={6}>
        {label}
        {shortcut && <Key name={shortcut} />}
      </Tooltip>
    </TooltipTrigger>
  )
}

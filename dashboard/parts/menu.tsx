import { type ReactElement, type RefObject, useEffect, useRef } from 'react'
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  Header,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  Text,
} from 'react-aria-components'
import { Icon, type IconName } from './icon.tsx'
import { Key } from './key.tsx'
import styles from './menu.module.css'
import overlay from './overlay.module.css'

export type MenuEntry = {
  id: string
  label: string
  hint?: string
  icon?: IconName
  shortcut?: string
  href?: string
  onAction?: () => void
  isDangerous?: boolean
  isDisabled?: boolean
  isCurrent?: boolean
}
export type MenuGroup = { id: string; title?: string; entries: readonly MenuEntry[] }

export type MenuProps = {
  label: string
  /** The button that opens it. */
  trigger: ReactElement
  groups: readonly MenuGroup[]
  placement?: 'bottom start' | 'bottom end' | 'top start'
}

/** A menu of actions and links behind a button. */
export function Menu({ label, trigger, groups, placement = 'bottom start' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={`${overlay.raised} ${styles.popover}`} placement={placement} offset={4}>
        <MenuList label={label} groups={groups} />
      </Popover>
    </MenuTrigger>
  )
}

export type MenuAtProps = Pick<MenuProps, 'label' | 'groups' | 'placement'> & {
  button: HTMLElement
  onClose: () => void
}

/** A menu that is open at a button outside it, so that its script can come late and all rows of a list can share it. */
export function MenuAt({ label, groups, button, onClose, placement = 'bottom end' }: MenuAtProps) {
  const anchor = useRef(button)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    anchor.current = button
    // after the menu itself has received the focus
    const frame = requestAnimationFrame(() => {
      const find = (selector: string) => menu.current?.querySelector<HTMLElement>(selector)
      const entry = find('[aria-checked="true"]') ?? find('[role^="menuitem"]')
      entry?.focus()
    })
    return () => cancelAnimationFrame(frame)
  }, [button])
  return (
    <Popover
      isOpen
      trigger="MenuTrigger"
      triggerRef={anchor}
      aria-label={label}
      onOpenChange={isOpen => !isOpen && onClose()}
      className={`${overlay.raised} ${styles.popover}`}
      placement={placement}
      offset={4}
    >
      <MenuList label={label} groups={groups} onClose={onClose} menuRef={menu} />
    </Popover>
  )
}

function MenuList({
  label,
  groups,
  onClose,
  menuRef,
}: Pick<MenuProps, 'label' | 'groups'> & {
  onClose?: () => void
  menuRef?: RefObject<HTMLDivElement | null>
}) {
  const shown = groups.filter(({ entries }) => entries.length > 0)
  return (
    <AriaMenu
      className={styles.menu}
      aria-label={label}
      {...(onClose && { onClose, autoFocus: true })}
      {...(menuRef && { ref: menuRef })}
    >
      {shown.flatMap((group, at) => [
        ...(at > 0 ? [<Separator key={`${group.id}-line`} className={styles.line} />] : []),
        <MenuSection key={group.id} {...(!group.title && { 'aria-label': label })} {...currentOf(group)}>
          {group.title && <Header className={styles.title}>{group.title}</Header>}
          {group.entries.map(entry => (
            <MenuEntryItem key={entry.id} entry={entry} />
          ))}
        </MenuSection>,
      ])}
    </AriaMenu>
  )
}

/** Screen readers announce the current one of several actions as checked. Links are not choices. */
function currentOf({ entries }: MenuGroup) {
  const current = entries.find(({ isCurrent, href }) => isCurrent && href === undefined)
  return current && { selectionMode: 'single' as const, selectedKeys: [current.id] }
}

function MenuEntryItem({ entry }: { entry: MenuEntry }) {
  const { id, label, hint, icon, shortcut, href, onAction, isDangerous, isDisabled, isCurrent } = entry
  return (
    <AriaMenuItem
      id={id}
      textValue={label}
      className={styles.item}
      {...(href !== undefined && { href })}
      {...(onAction && { onAction })}
      {...(isDisabled && { isDisabled })}
      {...(isDangerous && { 'data-danger': '' })}
    >
      {icon && <Icon name={icon} className={styles.icon} />}
      <span className={styles.words}>
        <Text slot="label">{label}</Text>
        {hint && (
          <Text slot="description" className={styles.hint}>
            {hint}
          </Text>
        )}
      </span>
      {isCurrent && <Icon name="check" />}
      {shortcut && <Key name={shortcut} />}
    </AriaMenuItem>
  )
}

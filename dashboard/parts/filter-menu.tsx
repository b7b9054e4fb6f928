import type { RefObject } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger, Popover, SubmenuTrigger } from 'react-aria-components'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'
import overlay from './overlay.module.css'

export type FilterField = {
  /** The key in `Filters`, usually the name of the parameter of the operation. */
  id: string
  /** In lower case, as part of the sentence “status is open”. */
  label: string
  values: readonly { value: string; label: string }[]
}

export type FilterMenuProps = {
  label: string
  /** The button that it belongs to. */
  button: RefObject<HTMLElement | null>
  buttonId: string
  fields: readonly FilterField[]
  onAdd: (field: string, value: string) => void
  onClose: () => void
}

/** The open menu of a FilterBar: the fields, each with a submenu of its values. Its script is loaded when it first opens. */
export function FilterMenu({ label, button, buttonId, fields, onAdd, onClose }: FilterMenuProps) {
  return (
    <MenuTrigger isOpen onOpenChange={isOpen => !isOpen && onClose()}>
      <Popover
        triggerRef={button}
        aria-labelledby={buttonId}
        className={`${overlay.raised} ${styles.popover}`}
        placement="bottom start"
        offset={4}
      >
        <AriaMenu
          aria-label={label}
          aria-labelledby={buttonId}
          className={styles.menu}
          autoFocus="first"
          onClose={onClose}
        >
          {fields.map(field => (
            <SubmenuTrigger key={field.id}>
              <MenuItem textValue={field.label} className={styles.item}>
                <span className={styles.words}>{field.label}</span>
                <Icon name="chevronRight" className={styles.icon} />
              </MenuItem>
              <Popover className={`${overlay.raised} ${styles.popover}`}>
                <AriaMenu aria-label={field.label} className={styles.menu}>
                  {field.values.map(({ value, label: name }) => (
                    <MenuItem
                      key={value}
                      textValue={name}
                      className={styles.item}
                      onAction={() => onAdd(field.id, value)}
                    >
                      <span className={styles.words}>{name}</span>
                    </MenuItem>
                  ))}
                </AriaMenu>
              </Popover>
            </SubmenuTrigger>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}

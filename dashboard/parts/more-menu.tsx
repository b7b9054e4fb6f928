import { useState } from 'react'
import { IconButton, type IconButtonProps } from './button.tsx'
import { late } from './late.tsx'
import type { MenuAtProps } from './menu.tsx'

const MenuAt = late(() => import('./menu.tsx').then(menu => menu.MenuAt))

/**
 * A button with three dots and the menu of further actions behind it; nothing without actions. The script of the menu
 * is loaded when somebody points at the button, focuses or presses it.
 */
export function MoreMenu({
  label,
  groups,
  size = 'usual',
}: Pick<MenuAtProps, 'label' | 'groups'> & Pick<IconButtonProps, 'size'>) {
  const [button, setButton] = useState<HTMLElement>()
  if (groups.every(({ entries }) => entries.length === 0)) return null
  return (
    <>
      <IconButton
        icon="more"
        label={label}
        size={size}
        aria-haspopup="menu"
        aria-expanded={button !== undefined}
        onPress={({ target }) => setButton(target as HTMLElement)}
        onHoverStart={MenuAt.preload}
        onFocus={MenuAt.preload}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setButton(event.target as HTMLElement)
          // the shortcuts of the screen
          else event.continuePropagation()
        }}
      />
      {button && (
        <MenuAt label={label} groups={groups} button={button} onClose={() => setButton(undefined)} />
      )}
    </>
  )
}

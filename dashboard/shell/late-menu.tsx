import { type ComponentType, type ReactNode, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import styles from './sidebar.module.css'

export type OpenMenuProps = { button: HTMLElement; onClose: () => void }

/**
 * A button of the navigation with its menu. The script of the menu is loaded when somebody points at the button,
 * focuses or presses it.
 */
export function LateMenu({
  menu: Menu,
  className,
  children,
}: {
  menu: ComponentType<OpenMenuProps> & { preload: () => void }
  className: string | undefined
  /** The content of the button, which names it. */
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <div className={styles.place}>
      <Button
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        className={className ?? ''}
        onPress={() => setOpen(true)}
        onHoverStart={Menu.preload}
        onFocus={Menu.preload}
        onKeyDown={event => {
          if (event.key === 'ArrowDown' || event.key === 'ArrowUp') setOpen(true)
          // the shortcuts of the screen
          else event.continuePropagation()
        }}
      >
        {children}
      </Button>
      {isOpen && button.current && <Menu button={button.current} onClose={() => setOpen(false)} />}
    </div>
  )
}
